import { describe, expect, it } from 'vitest';
import type { HistoryTransaction } from '../src/index.ts';
import { ScriptedStore } from './support/scripted-store.ts';
import { contentOf, m, open, rejectionOf, rowsOf } from './support/sessions.ts';

type Transaction = HistoryTransaction<unknown>;

const append = (...items: unknown[]): Transaction => ({ type: 'append_items', items });
const replace = (expectedSuffix: unknown[], replacement: unknown[]): Transaction => {
  return { type: 'replace_suffix', expectedSuffix, replacement };
};

/** A session, and the same one as another process sees it. */
function started(...items: unknown[]) {
  const { session, store } = open();
  store.records = rowsOf(...items);
  const apply = (operationId: string, transaction: Transaction) => {
    return session.applyHistoryTransaction({ operationId, transaction });
  };
  const other = open({}, store).session;
  const applyElsewhere = (operationId: string, transaction: Transaction) => {
    return other.applyHistoryTransaction({ operationId, transaction });
  };
  return { session, store, apply, applyElsewhere };
}

describe('applyHistoryTransaction', () => {
  it('TXN-1 appends together with the operation id, in one change', async () => {
    const { store, apply } = started(m(0));
    await apply('op', append(m(1), m(2)));
    expect(contentOf(store)).toEqual([m(0), m(1), m(2)]);
    expect(store.changes).toMatchObject([{ drop: 0, add: rowsOf(m(1), m(2)), operation: { id: 'op' } }]);
    expect(store.queries).toEqual([]);
  });

  it('TXN-1 replaces a suffix together with the operation id, in one change', async () => {
    const { store, apply } = started(m(0), m(1), m(2));
    await apply('op', replace([m(1), m(2)], [m(3)]));
    expect(contentOf(store)).toEqual([m(0), m(3)]);
    expect(store.changes).toMatchObject([
      { drop: 2, add: rowsOf(m(3)), ifVersion: expect.any(String), operation: { id: 'op' } },
    ]);
    // No more of the history than the suffix is long.
    expect(store.queries).toEqual([{ limit: 2, versioned: true }]);
  });

  it.each<[string, Transaction]>([
    ['an append', append(m(3))],
    ['an empty append', append()],
    ['a replacement', replace([m(2)], [m(3)])],
    ['a replacement by nothing', replace([m(2)], [])],
    ['a replacement by the same', replace([m(2)], [m(2)])],
    ['a replacement of nothing', replace([], [m(3)])],
  ])('TXN-2 applies %s once, from wherever and however late it is tried again', async (_, transaction) => {
    const { session, store, apply, applyElsewhere } = started(m(1), m(2));
    await apply('op', transaction);
    const once = store.records;
    await apply('op', transaction);
    await applyElsewhere('op', transaction);
    expect(store.records).toEqual(once);
    await session.addItems([m(4)]);
    await session.popItem();
    await session.popItem();
    const later = store.records;
    await applyElsewhere('op', transaction);
    expect(store.records).toEqual(later);
  });

  it('TXN-2 applies one of many concurrent callers, and all succeed', async () => {
    const { store, apply, applyElsewhere } = started();
    await Promise.all(
      [1, 2, 3].flatMap(() => [apply('op', append(m(1))), applyElsewhere('op', append(m(1)))]),
    );
    expect(contentOf(store)).toEqual([m(1)]);
  });

  it('TXN-2 forgets the operations with a clear, not with other changes', async () => {
    const { session, store, apply } = started();
    await apply('op', append(m(1)));
    await session.popItem();
    await apply('op', append(m(1)));
    expect(store.records).toEqual([]);
    await session.clearSession();
    await apply('op', append(m(1)));
    expect(contentOf(store)).toEqual([m(1)]);
  });

  it('TXN-2 takes other ids for other operations, lone surrogates and all', async () => {
    const { store, apply } = started();
    const ids = [
      'op',
      'op ',
      'OP',
      '\ud800',
      '\ud801',
      '\ufffd',
      '%d800;',
      '__proto__',
      'a'.repeat(1_000),
      '\0',
    ];
    for (const id of ids) await apply(id, append(m(1)));
    expect(store.records).toHaveLength(ids.length);
    expect(store.operations.size).toBe(ids.length);
    for (const { operation } of store.changes) expect(operation!.id.isWellFormed()).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['keys in another order', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
    ['a property that is undefined', { a: 1 }, { a: 1, b: undefined }],
    ['a property that is undefined beside a BigInt', { a: 1n }, { b: undefined, a: 1n }],
    ['the same bytes in another buffer', new Uint8Array([1, 2]), new Uint8Array([9, 1, 2]).subarray(1)],
    ['a Buffer of the same bytes', { b: new Uint8Array([1, 2]) }, { b: Buffer.from([1, 2]) }],
    ['the same date', new Date(5), new Date(5)],
    ['lone surrogates', { '\ud800': '\udc00' }, { '\ud800': '\udc00' }],
  ])('TXN-2 takes for the same: %s', async (_, first, second) => {
    const { session, store, apply } = started();
    await apply('op', append(first));
    await apply('op', append(second));
    expect(store.records).toHaveLength(1);
    await session.applyHistoryTransaction({ operationId: 'op2', transaction: replace([second], [m(1)]) });
    expect(await session.getItems()).toEqual([m(1)]);
  });

  it.each<[string, unknown, unknown]>([
    ['another value', { a: 1 }, { a: 2 }],
    ['a number and its text', { a: 1 }, { a: '1' }],
    ['null and an absent property', { a: null }, {}],
    ['null and undefined in an array', [null], [undefined]],
    ['0 and -0', { a: 0 }, { a: -0 }],
    ['NaN and null', [Number.NaN], [null]],
    ['a BigInt and a number', [1n], [1]],
    ['an array and an object', [1], { 0: 1 }],
    ['an array in another order', [1, 2], [2, 1]],
    ['an empty array and an empty object', [], {}],
    ['a Set and an array', new Set([1]), [1]],
    ['a Map and an object', new Map([['a', 1]]), { a: 1 }],
    ['a date and its text', new Date(5), new Date(5).toISOString()],
    ['a date and an array that looks like one', new Date(5), [['Date', new Date(5).toISOString()]]],
    ['bytes and an array', new Uint8Array([1]), [1]],
    [
      'bytes and an array that looks like them',
      new Uint8Array([1]),
      [
        ['Uint8Array', 1],
        ['ArrayBuffer', 'AQ=='],
      ],
    ],
    ['bytes of two kinds', new Uint8Array([1]), new Int8Array([1])],
    ['two lone surrogates', '\ud800', '\ud801'],
    ['a lone surrogate and its replacement', '\ud800', '\ufffd'],
    ['two keys that are joined otherwise', { 'a:1,b': 2 }, { a: 1, b: 2 }],
    ['`__proto__` and no such key', JSON.parse('{"__proto__":1}'), {}],
  ])('TXN-3 tells apart: %s', async (_, first, second) => {
    const { session, store, apply } = started();
    await apply('op', append(first));
    const before = store.records;
    expect(await rejectionOf(apply('op', append(second)))).toMatchObject({ code: 'OPERATION_CONFLICT' });
    const mismatch = { operationId: 'op2', transaction: replace([second], []) };
    expect(await rejectionOf(session.applyHistoryTransaction(mismatch))).toMatchObject({
      code: 'SUFFIX_MISMATCH',
    });
    expect(store.records).toBe(before);
  });

  it.each<[string, Transaction, Transaction]>([
    ['more items', append(m(1)), append(m(1), m(1))],
    ['no items', append(m(1)), append()],
    ['items cut otherwise', append([1, 2]), append(1, 2)],
    ['another type', append(m(1)), replace([], [m(1)])],
    ['another replacement', replace([m(0)], [m(1)]), replace([m(0)], [m(2)])],
    ['another suffix', replace([m(0)], [m(1)]), replace([], [m(1)])],
    ['suffix and replacement parted otherwise', replace([m(0)], []), replace([], [m(0)])],
  ])('TXN-3 refuses the id again with %s, and changes nothing', async (_, first, second) => {
    const { store, apply, applyElsewhere } = started(m(0));
    await apply('op', first);
    const before = store.records;
    for (const again of [apply, applyElsewhere]) {
      const error = await rejectionOf(again('op', second));
      expect(error).toMatchObject({ code: 'OPERATION_CONFLICT', adapter: 'scripted', retryable: false });
    }
    expect(store.records).toBe(before);
    await apply('op', first);
    expect(store.records).toBe(before);
  });

  it.each<[string, unknown[]]>([
    ['another item', [m(9)]],
    ['an older item', [m(0)]],
    ['items the other way round', [m(1), m(0)]],
    ['more than there is', [m(5), m(0), m(1)]],
  ])('TXN-3 refuses a suffix of %s, and records nothing', async (_, suffix) => {
    const { store, apply } = started(m(0), m(1));
    const error = await rejectionOf(apply('op', replace(suffix, [m(2)])));
    expect(error).toMatchObject({ code: 'SUFFIX_MISMATCH', adapter: 'scripted', retryable: false });
    expect(contentOf(store)).toEqual([m(0), m(1)]);
    expect(store.operations.size).toBe(0);
    // The id is free.
    await apply('op', replace([m(1)], [m(2)]));
    expect(contentOf(store)).toEqual([m(0), m(2)]);
  });

  it('TXN-3 compares what is readable, as reading does', async () => {
    const { session, store, apply } = started(m(0), m(1));
    store.records = [...rowsOf(m(0)), '{damaged', ...rowsOf(m(1)), '{damaged'];
    await apply('op', replace([m(0), m(1)], [m(2)]));
    expect(await session.getItems()).toEqual([m(2)]);
  });

  it('POP-4 TXN-3 fails on a suffix that cannot be read here, and drops nothing', async () => {
    const { store, apply } = started(m(0));
    store.records = [...rowsOf(m(0)), '~sealed'];
    expect(await rejectionOf(apply('op', replace([m(0)], [])))).toMatchObject({ code: 'UNREADABLE_ITEM' });
    expect(store.records).toHaveLength(2);
  });

  it('TXN-1 is tried again when another writer came in between', async () => {
    const { store, apply } = started(m(0), m(1));
    store.onCommit((commit) => {
      store.apply({ id: 'another', drop: 0, add: rowsOf(m(1)) });
      return commit();
    });
    await apply('op', replace([m(1)], [m(2)]));
    expect(contentOf(store)).toEqual([m(0), m(1), m(2)]);
    expect(store.queries).toHaveLength(2);
  });

  it('TXN-3 is a mismatch when the other writer changed the suffix', async () => {
    const { store, apply } = started(m(0), m(1));
    store.onCommit((commit) => {
      store.apply({ id: 'another', drop: 0, add: rowsOf(m(7)) });
      return commit();
    });
    expect(await rejectionOf(apply('op', replace([m(1)], [m(2)])))).toMatchObject({
      code: 'SUFFIX_MISMATCH',
    });
    expect(contentOf(store)).toEqual([m(0), m(1), m(7)]);
  });

  it('TXN-2 succeeds when the other writer was the same operation', async () => {
    const { store, apply, applyElsewhere } = started(m(0), m(1));
    store.onRead(async (read) => {
      const found = read();
      await applyElsewhere('op', replace([m(1)], [m(2)]));
      return found;
    });
    await apply('op', replace([m(1)], [m(2)]));
    expect(contentOf(store)).toEqual([m(0), m(2)]);
  });

  it('TXN-4 records an empty append, of a session that was never written to', async () => {
    const { store, apply } = started();
    await apply('op', append());
    expect(store.records).toEqual([]);
    expect(await rejectionOf(apply('op', append(m(1))))).toMatchObject({ code: 'OPERATION_CONFLICT' });
  });

  it('CLR-3 SEC-1 remembers a digest that gives away nothing of the content', async () => {
    const { store, apply } = started();
    const secret = { content: 'SECRET-CONTENT' };
    await apply('op', append(secret));
    await apply('op2', replace([secret], [m(1)]));
    for (const { operation } of store.changes) {
      expect(operation?.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(operation?.digest).not.toContain('SECRET');
    }
  });

  it('TXN-2 remembers the same digest wherever it is computed', async () => {
    const { store, apply } = started();
    await apply('op', append({ b: 1, a: '\ud800' }));
    const elsewhere = open({}, new ScriptedStore());
    await elsewhere.session.applyHistoryTransaction({
      operationId: 'other',
      transaction: append({ a: '\ud800', b: 1 }),
    });
    expect([...elsewhere.store.operations.values()]).toEqual([...store.operations.values()]);
  });
});
