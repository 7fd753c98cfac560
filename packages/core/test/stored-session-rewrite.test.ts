import { describe, expect, it } from 'vitest';
import { contentOf, m, open, rejectionOf, rowsOf } from './support/sessions.ts';

const call = (callId: string, name: string, extra: object = {}) => {
  return { type: 'function_call', callId, name, arguments: '{}', ...extra };
};
const result = (callId: string) => ({ type: 'function_call_result', callId, output: 'ok' });
const mutation = (callId: string, replacement: unknown) => {
  return { type: 'replace_function_call' as const, callId, replacement: replacement as never };
};

function holding(...records: string[]) {
  const { session, store } = open();
  store.records = records;
  const rewrite = (...mutations: ReturnType<typeof mutation>[]) =>
    session.applyHistoryMutations({ mutations });
  return { session, store, rewrite };
}

describe('applyHistoryMutations', () => {
  it('RWR-1 replaces the first call in place, and removes later ones with its id', async () => {
    const { store, rewrite } = holding(
      ...rowsOf(
        m(1),
        call('a', 'old'),
        result('a'),
        call('b', 'old'),
        call('a', 'twin'),
        m(2),
        call('a', 'third'),
      ),
    );
    await rewrite(mutation('a', call('a', 'new')));
    expect(contentOf(store)).toEqual([m(1), call('a', 'new'), result('a'), call('b', 'old'), m(2)]);
  });

  it('RWR-1 leaves all else as it is, byte for byte, damaged records too', async () => {
    const odd = ['{ "role" : "user" }', '{damaged', '=[{"n":1},["BigInt","1"]]', '{"b":1,"a":2}', '{damaged'];
    const [old, twin, other] = rowsOf(call('a', 'old'), call('a', 'twin'), call('b', 'other'));
    const { store, rewrite } = holding(odd[0]!, old!, odd[1]!, odd[2]!, twin!, other!, odd[3]!, odd[4]!);
    await rewrite(mutation('a', call('a', 'new')));
    const [written] = rowsOf(call('a', 'new'));
    expect(store.records).toEqual([odd[0], written, odd[1], odd[2], other, odd[3], odd[4]]);
  });

  it('RWR-1 is one change, for the version that was read', async () => {
    const { store, rewrite } = holding(...rowsOf(m(1), call('a', 'old'), m(2)));
    await rewrite(mutation('a', call('a', 'new')));
    expect(store.changes).toHaveLength(1);
    expect(store.changes[0]).toMatchObject({ ifVersion: expect.any(String) });
    expect(store.changes[0]).not.toHaveProperty('clear');
    expect(store.queries).toEqual([{ limit: undefined, versioned: true }]);
  });

  it.each<[string, unknown[]]>([
    ['there is no such call', [mutation('z', call('z', 'new'))]],
    ['the call is like that already', [mutation('a', call('a', 'old'))]],
    ['there are no mutations', []],
    ['the id is that of a result only', [mutation('r', call('r', 'new'))]],
  ])('RWR-1 writes nothing where %s', async (_, mutations) => {
    const { session, store } = holding(...rowsOf(m(1), call('a', 'old'), result('r'), { callId: 'z' }));
    const before = store.records;
    await session.applyHistoryMutations({ mutations: mutations as never[] });
    expect(store.changes).toEqual([]);
    expect(store.records).toBe(before);
  });

  it('RWR-1 applies several one after another', async () => {
    const { store, rewrite } = holding(...rowsOf(call('a', 'old'), call('b', 'old'), call('c', 'old')));
    await rewrite(
      mutation('a', call('a', 'first')),
      mutation('b', call('b', 'new')),
      mutation('a', call('a', 'second')),
      mutation('z', call('z', 'none')),
    );
    expect(contentOf(store)).toEqual([call('a', 'second'), call('b', 'new'), call('c', 'old')]);
    expect(store.changes).toHaveLength(1);
  });

  it('RWR-1 lets a later mutation see what an earlier one wrote', async () => {
    const { store, rewrite } = holding(...rowsOf(call('a', 'old'), call('b', 'old')));
    await rewrite(mutation('a', call('b', 'moved')), mutation('b', call('b', 'last')));
    expect(contentOf(store)).toEqual([call('b', 'last')]);
  });

  it('RWR-1 removes later ones though the first need not change', async () => {
    const { store, rewrite } = holding(...rowsOf(call('a', 'same'), m(1), call('a', 'twin')));
    await rewrite(mutation('a', call('a', 'same')));
    expect(contentOf(store)).toEqual([call('a', 'same'), m(1)]);
  });

  it('RWR-1 is computed anew when another writer came in between', async () => {
    const { store, rewrite } = holding(...rowsOf(call('a', 'old')));
    store.onCommit((apply) => {
      store.apply({ id: 'another', drop: 0, add: rowsOf(m(1), call('a', 'twin'), m(2)) });
      return apply();
    });
    await rewrite(mutation('a', call('a', 'new')));
    expect(contentOf(store)).toEqual([call('a', 'new'), m(1), m(2)]);
  });

  it('RWR-1 sees the whole history, whatever the default limit', async () => {
    const { session, store, rewrite } = holding(...rowsOf(call('a', 'old'), m(1), m(2)));
    session.sessionSettings = { limit: 1 };
    await rewrite(mutation('a', call('a', 'new')));
    expect(contentOf(store)).toEqual([call('a', 'new'), m(1), m(2)]);
  });

  it('RWR-1 TXN-2 leaves the operations remembered', async () => {
    const { session, store, rewrite } = holding();
    const transaction = { type: 'append_items' as const, items: [call('a', 'old')] };
    await session.applyHistoryTransaction({ operationId: 'op', transaction });
    await rewrite(mutation('a', call('a', 'new')));
    await session.applyHistoryTransaction({ operationId: 'op', transaction });
    expect(contentOf(store)).toEqual([call('a', 'new')]);
  });

  it('POP-4 RWR-1 fails on a history that cannot be read here, and changes nothing', async () => {
    const { store, rewrite } = holding(...rowsOf(call('a', 'old')), '~sealed');
    expect(await rejectionOf(rewrite(mutation('a', call('a', 'new'))))).toMatchObject({
      code: 'UNREADABLE_ITEM',
    });
    expect(store.changes).toEqual([]);
  });

  it('VAL-2 RWR-1 keeps a replacement with bytes', async () => {
    const { session, rewrite } = holding(...rowsOf(call('a', 'old')));
    const replacement = call('a', 'new', { image: new Uint8Array([1, 2]) });
    await rewrite(mutation('a', replacement));
    expect(await session.getItems()).toEqual([replacement]);
  });

  it('ADD-4 RWR-1 takes the replacement as it was when it was called', async () => {
    const { store, rewrite } = holding(...rowsOf(call('a', 'old')));
    const replacement = call('a', 'before');
    const rewriting = rewrite(mutation('a', replacement));
    replacement.name = 'after';
    await rewriting;
    expect(contentOf(store)).toEqual([call('a', 'before')]);
  });
});

describe('arguments of a rewrite', () => {
  const fine = mutation('a', call('a', 'new'));

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an array', [fine]],
    ['no mutations', {}],
    ['mutations that are no array', { mutations: fine }],
    ['an extra field', { mutations: [fine], extra: 1 }],
    ['null for a mutation', { mutations: [null] }],
    ['an array for a mutation', { mutations: [[fine]] }],
    ['an unknown type', { mutations: [{ ...fine, type: 'delete_function_call' }] }],
    ['no type', { mutations: [{ callId: 'a', replacement: call('a', 'new') }] }],
    ['a number for a call id', { mutations: [{ ...fine, callId: 5 }] }],
    ['no call id', { mutations: [{ type: fine.type, replacement: fine.replacement }] }],
    ['an extra field of a mutation', { mutations: [{ ...fine, extra: 1 }] }],
    ['a replacement of another type', { mutations: [{ ...fine, replacement: m(1) }] }],
    ['a replacement that is null', { mutations: [{ ...fine, replacement: null }] }],
    ['a replacement that is a string', { mutations: [{ ...fine, replacement: 'function_call' }] }],
    ['one bad mutation behind a good one', { mutations: [fine, { ...fine, callId: null }] }],
  ])('RWR-1 refuses %s before any call', async (_, args) => {
    const { session, store } = holding(...rowsOf(call('a', 'old')));
    const error = await rejectionOf(session.applyHistoryMutations(args as { mutations: never[] }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', adapter: 'scripted', retryable: false });
    expect(store.calls).toBe(0);
  });

  it.each<[string, unknown]>([
    ['cannot be stored', call('a', 'new', { bad: () => 1 })],
    ['is missing', undefined],
  ])('ADD-5 RWR-1 refuses a replacement that %s before any call', async (_, replacement) => {
    const { store, rewrite } = holding(...rowsOf(call('a', 'old')));
    expect(await rejectionOf(rewrite(mutation('a', replacement)))).toMatchObject({ code: 'INVALID_ITEM' });
    expect(store.calls).toBe(0);
  });

  it('RWR-1 reads each property once', async () => {
    const { session, store } = holding(...rowsOf(call('a', 'old')));
    let reads = 0;
    const shifty = {
      type: 'replace_function_call' as const,
      get callId() {
        return reads++ === 0 ? 'a' : 'b';
      },
      get replacement() {
        return (reads++ === 1 ? call('a', 'new') : m(1)) as never;
      },
    };
    await session.applyHistoryMutations({ mutations: [shifty] });
    expect(reads).toBe(2);
    expect(contentOf(store)).toEqual([call('a', 'new')]);
  });
});
