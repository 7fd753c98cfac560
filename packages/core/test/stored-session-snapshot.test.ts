import { describe, expect, it } from 'vitest';
import { SessionError } from '../src/index.ts';
import { behind, fail, loseReply } from './support/scripted-store.ts';
import { contentOf, m, open, rejectionOf, rowsOf } from './support/sessions.ts';

const summary = { type: 'compaction', encrypted_content: 'all that was said' };

async function snapshotOf(...items: unknown[]) {
  const opened = open();
  opened.store.records = rowsOf(...items);
  return { ...opened, snapshot: await opened.session.snapshotHistory() };
}

const add = (id: string, ...items: unknown[]) => ({ id, drop: 0, add: rowsOf(...items) });
const pop = (id: string) => ({ id, drop: 1, add: [] });
const clear = (id: string) => ({ id, drop: 'all', add: [], clear: true }) as const;

describe('snapshotHistory', () => {
  it('CMP-2 reads the whole history, whatever the default limit', async () => {
    const { session, store } = open({ sessionSettings: { limit: 1 } });
    store.records = [...rowsOf(m(1)), '{damaged', ...rowsOf(m(2), m(3))];
    expect((await session.snapshotHistory()).items).toEqual([m(1), m(2), m(3)]);
  });

  it('GET-7 tells how many damaged records it passed over', async () => {
    const { session, store } = open();
    store.records = ['{damaged', ...rowsOf(m(1)), '=damaged'];
    expect(await session.snapshotHistory()).toMatchObject({ items: [m(1)], damaged: 2 });
  });

  it('RPL-1 replaces what was read by one change, for the version that was read', async () => {
    const { store, snapshot } = await snapshotOf(m(1), m(2));
    expect(await snapshot.replace([summary])).toBe(true);
    expect(contentOf(store)).toEqual([summary]);
    expect(store.changes).toHaveLength(1);
    expect(store.changes[0]).toMatchObject({ drop: 'all', ifVersion: 'v0' });
    expect(store.changes[0]).not.toHaveProperty('clear');
    expect(store.queries).toHaveLength(1);
  });

  it('CMP-3 keeps after it what was only appended since, also when that happens again', async () => {
    const { store, snapshot } = await snapshotOf(m(1), m(2));
    store.apply(add('other-1', m(3)));
    store.onCommit((apply) => {
      store.apply(add('other-2', m(4), m(5)));
      return apply();
    });
    expect(await snapshot.replace([summary])).toBe(true);
    expect(contentOf(store)).toEqual([summary, m(3), m(4), m(5)]);
  });

  it.each<[string, () => object[]]>([
    ['a pop', () => [pop('a')]],
    ['a pop, and more that was added', () => [pop('a'), add('b', m(7), m(8))]],
    ['a pop, after which the same was added', () => [pop('a'), add('b', m(2))]],
    ['a clear', () => [clear('a')]],
    ['a clear, after which the same was added', () => [clear('a'), add('b', m(1), m(2))]],
    ['another replacement', () => [{ id: 'a', drop: 'all', add: rowsOf(summary, m(9), m(9)) }]],
  ])('CMP-3 changes nothing after %s', async (_, changes) => {
    const { store, snapshot } = await snapshotOf(m(1), m(2));
    for (const change of changes()) store.apply(change as never);
    const before = [...store.records];
    expect(await snapshot.replace([summary])).toBe(false);
    expect(store.records).toEqual(before);
  });

  it('of two that replace one snapshot, one does', async () => {
    const { store, snapshot } = await snapshotOf(m(1), m(2));
    const both = await Promise.all([snapshot.replace([summary]), snapshot.replace([m(9)])]);
    expect(both).toEqual([true, false]);
    expect(contentOf(store)).toEqual([summary]);
  });

  it('FLT-1 replaces once, though the reply is lost', async () => {
    const { store, snapshot } = await snapshotOf(m(1), m(2));
    store.onCommit(loseReply);
    expect(await snapshot.replace([summary])).toBe(true);
    expect(contentOf(store)).toEqual([summary]);
  });

  it('ADD-5 refuses what cannot be stored before anything is changed', async () => {
    const { store, snapshot } = await snapshotOf(m(1));
    const error = await rejectionOf(snapshot.replace([summary, { run: () => 1 }]));
    expect(error).toMatchObject({ code: 'INVALID_ITEM', index: 1, path: '.run' });
    expect(store.changes).toEqual([]);
  });

  it('LIFE-4 waits for a replacement under way, then rejects with the reason', async () => {
    const { store, snapshot } = await snapshotOf(m(1));
    const abort = new AbortController();
    const { promise: gate, resolve: pass } = Promise.withResolvers<void>();
    store.onCommit(behind(gate));
    const replacing = rejectionOf(snapshot.replace([summary], { signal: abort.signal }));
    const reason = new Error('enough');
    abort.abort(reason);
    pass();
    expect(await replacing).toBe(reason);
    expect(contentOf(store)).toEqual([summary]);
  });

  it('LIFE-2 is refused after close, and so is a replacement', async () => {
    const { session, store, snapshot } = await snapshotOf(m(1));
    await session.close();
    expect(await rejectionOf(session.snapshotHistory())).toMatchObject({ code: 'CLOSED' });
    expect(await rejectionOf(snapshot.replace([summary]))).toMatchObject({ code: 'CLOSED' });
    expect(store.changes).toEqual([]);
  });

  it('says what the store refuses', async () => {
    const { store, snapshot } = await snapshotOf(m(1));
    store.onCommit(fail(new SessionError('ACCESS_DENIED')));
    expect(await rejectionOf(snapshot.replace([summary]))).toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
