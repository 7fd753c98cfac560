import { describe, expect, it } from 'vitest';
import { StoredSession } from '../src/store.ts';
import { ScriptedStore } from './support/scripted-store.ts';
import { contentOf, m, open, rejectionOf, rowsOf, thrownBy } from './support/sessions.ts';

const DAMAGED = '{"role":"user","conte';

/** A session whose store holds these records. */
function holding(records: string[], limit?: number) {
  const opened = open(limit === undefined ? {} : { sessionSettings: { limit } });
  opened.store.records = records;
  return opened;
}

describe('a stored session', () => {
  it('ID-1 refuses anything but a non-empty string as its id', () => {
    for (const sessionId of ['', undefined, null, 5, { $ne: null }]) {
      const init = { adapter: 'scripted', sessionId: sessionId as string, open: () => new ScriptedStore() };
      expect(thrownBy(() => new StoredSession(init))).toMatchObject({ code: 'INVALID_SESSION_ID' });
    }
  });

  it('ID-2 tells its id without a call to the store, before and after a clear', async () => {
    const { session, store } = open();
    expect(await session.getSessionId()).toBe('thread-1');
    expect(store.calls).toBe(0);
    await session.clearSession();
    expect(await session.getSessionId()).toBe(session.sessionId);
  });

  it('FLT-2 GET-5 refuses options that make no sense, as it is built', () => {
    expect(thrownBy(() => open({ timeoutMs: 0 }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(thrownBy(() => open({ sessionSettings: { limit: 1.5 } }))).toMatchObject({
      code: 'INVALID_LIMIT',
    });
  });
});

describe('getItems', () => {
  it('GET-1 GET-2 GET-3 reads everything, or the newest, oldest first', async () => {
    const { session, store } = open();
    expect(await session.getItems()).toEqual([]);
    expect(store.changes).toEqual([]);
    store.records = rowsOf(m(1), m(2), m(3), m(4));
    expect(await session.getItems()).toEqual([m(1), m(2), m(3), m(4)]);
    expect(await session.getItems(2)).toEqual([m(3), m(4)]);
    expect(await session.getItems(4)).toEqual([m(1), m(2), m(3), m(4)]);
    expect(await session.getItems(50)).toEqual([m(1), m(2), m(3), m(4)]);
  });

  it('GET-8 asks the store for no more than it returns, once', async () => {
    const { session, store } = holding(rowsOf(m(1), m(2), m(3)));
    await session.getItems(2);
    expect(store.queries).toEqual([{ limit: 2, versioned: false }]);
  });

  it.each([0, -0, -1, -1e9, Number.NEGATIVE_INFINITY])('GET-4 makes no call for limit %s', async (limit) => {
    const { session, store } = holding(rowsOf(m(1)));
    expect(await session.getItems(limit)).toEqual([]);
    session.sessionSettings = { limit };
    expect(await session.getItems()).toEqual([]);
    expect(store.calls).toBe(0);
  });

  it.each([Number.NaN, 1.5, -0.5, '1', null, {}])('GET-5 refuses limit %s without a call', async (limit) => {
    const { session, store } = holding(rowsOf(m(1)));
    const refusal = { code: 'INVALID_LIMIT', adapter: 'scripted' };
    expect(await rejectionOf(session.getItems(limit as number))).toMatchObject(refusal);
    session.sessionSettings = { limit: limit as number };
    expect(await rejectionOf(session.getItems())).toMatchObject(refusal);
    expect(store.calls).toBe(0);
  });

  it('GET-5 GET-6 reads everything for Infinity, whatever the settings say', async () => {
    const { session } = holding(rowsOf(m(1), m(2), m(3)), 1);
    expect(await session.getItems(Number.POSITIVE_INFINITY)).toHaveLength(3);
  });

  it('GET-6 prefers the explicit limit to the settings, and those to everything', async () => {
    const { session } = holding(rowsOf(m(1), m(2), m(3)), 2);
    expect(await session.getItems()).toEqual([m(2), m(3)]);
    expect(await session.getItems(1)).toEqual([m(3)]);
    expect(await session.getItems(3)).toHaveLength(3);
    expect(await session.getItems(0)).toEqual([]);
    session.sessionSettings = { limit: 1 };
    expect(await session.getItems()).toEqual([m(3)]);
    session.sessionSettings = undefined;
    expect(await session.getItems()).toHaveLength(3);
  });

  it('GET-7 counts readable items only, wherever the damaged ones are', async () => {
    const [r1, r2, r3, r4] = rowsOf(m(1), m(2), m(3), m(4)) as [string, string, string, string];
    const { session } = holding([DAMAGED, r1, r2, DAMAGED, DAMAGED, r3, DAMAGED, r4, '', DAMAGED, '=']);
    expect(await session.getItems(1)).toEqual([m(4)]);
    expect(await session.getItems(2)).toEqual([m(3), m(4)]);
    expect(await session.getItems(3)).toEqual([m(2), m(3), m(4)]);
    expect(await session.getItems(4)).toEqual([m(1), m(2), m(3), m(4)]);
    expect(await session.getItems(5)).toEqual([m(1), m(2), m(3), m(4)]);
    expect(await session.getItems()).toEqual([m(1), m(2), m(3), m(4)]);
  });

  it('GET-7 reads past any number of damaged records', async () => {
    const { session, store } = holding([...rowsOf(m(1), m(2)), ...new Array(1_000).fill(DAMAGED)]);
    expect(await session.getItems(1)).toEqual([m(2)]);
    // Not one by one: each read goes twice as far back.
    expect(store.queries.length).toBeLessThan(15);
  });

  it('GET-7 comes to an end where all is damaged', async () => {
    const { session } = holding([DAMAGED, DAMAGED, DAMAGED, DAMAGED]);
    expect(await session.getItems(2)).toEqual([]);
    expect(await session.getItems()).toEqual([]);
  });

  it('GET-7 takes the records of one read, never of two', async () => {
    const { session, store } = holding([...rowsOf(m(1), m(2)), DAMAGED]);
    // Another writer pops between the first read, which meets a damaged record, and the second.
    store.onRead((read) => {
      const found = read();
      store.records = rowsOf(m(1));
      return found;
    });
    expect(await session.getItems(2)).toEqual([m(1)]);
  });

  it('POP-4 fails on what it cannot read here, if the limit reaches it', async () => {
    const { session, store } = holding(['~sealed', ...rowsOf(m(1), m(2))]);
    expect(await session.getItems(2)).toEqual([m(1), m(2)]);
    const error = await rejectionOf(session.getItems());
    expect(error).toMatchObject({ code: 'UNREADABLE_ITEM', adapter: 'scripted' });
    expect(store.records).toHaveLength(3);
  });

  it('ISO-1 returns copies', async () => {
    const { session } = holding(rowsOf({ list: [1] }));
    const [first] = (await session.getItems()) as [{ list: number[] }];
    first.list.push(2);
    expect(await session.getItems()).toEqual([{ list: [1] }]);
  });
});

describe('addItems', () => {
  it('ADD-1 ADD-6 appends a batch as one change, nothing added to it or taken from it', async () => {
    const { session, store } = open();
    const batch = [m(1), m(1), { id: 'x', created: 1, seq: 5 }, { id: 'x', created: 1, seq: 5 }];
    await session.addItems(batch);
    await session.addItems([m(2)]);
    expect(contentOf(store)).toEqual([...batch, m(2)]);
    expect(store.changes).toMatchObject([
      { drop: 0, add: rowsOf(...batch) },
      { drop: 0, add: rowsOf(m(2)) },
    ]);
  });

  it('ADD-7 never reads the history', async () => {
    const { session, store } = holding(rowsOf(m(1)));
    await session.addItems([m(2)]);
    expect(store.queries).toEqual([]);
  });

  it('ADD-2 makes no call for an empty batch', async () => {
    const { session, store } = open();
    await session.addItems([]);
    expect(store.calls).toBe(0);
  });

  it('ADD-4 writes what the items were when it was called', async () => {
    const { session, store } = open();
    const item = { role: 'user', content: { deep: ['before'] } };
    const batch: unknown[] = [item];
    const adding = session.addItems(batch);
    item.content.deep[0] = 'after';
    item.role = 'system';
    batch.push(m(1));
    await adding;
    expect(contentOf(store)).toEqual([{ role: 'user', content: { deep: ['before'] } }]);
  });

  it('ADD-4 does so also for a call that waits for its turn', async () => {
    const { session, store } = open();
    const gate = Promise.withResolvers<void>();
    store.onRead(async (read) => {
      await gate.promise;
      return read();
    });
    const reading = session.getItems();
    const item = { content: 'before' };
    const adding = session.addItems([item]);
    item.content = 'after';
    gate.resolve();
    await Promise.all([reading, adding]);
    expect(contentOf(store)).toEqual([{ content: 'before' }]);
  });

  it('ADD-5 refuses a batch with one bad item by index and path, without a call', async () => {
    const { session, store } = open();
    const error = await rejectionOf(session.addItems([m(1), { list: [() => 1] }, m(2)]));
    expect(error).toMatchObject({ code: 'INVALID_ITEM', index: 1, path: '.list[0]', adapter: 'scripted' });
    expect(store.calls).toBe(0);
  });

  it.each([undefined, null, 'text', m(1), new Set([m(1)])])('ADD-5 refuses %s for a batch', async (items) => {
    const { session, store } = open();
    const error = await rejectionOf(session.addItems(items as never));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', adapter: 'scripted' });
    expect(store.calls).toBe(0);
  });

  it('ADD-8 refuses what is too large, without a call', async () => {
    const { session, store } = open();
    const error = await rejectionOf(session.addItems([m(1), 'x'.repeat(32 * 1024 * 1024)]));
    expect(error).toMatchObject({ code: 'ITEM_TOO_LARGE', index: 1, adapter: 'scripted' });
    expect(store.calls).toBe(0);
  });

  it('VAL-2 keeps bytes and the like on their way to the store and back', async () => {
    const { session } = open();
    await session.addItems([{ output: new Uint8Array([1, 2]), at: new Date(5) }]);
    expect(await session.getItems()).toEqual([{ output: new Uint8Array([1, 2]), at: new Date(5) }]);
  });
});

describe('popItem', () => {
  it('POP-1 takes the newest, one call each, until nothing is left', async () => {
    const { session, store } = holding(rowsOf(m(1), m(2)));
    expect(await session.popItem()).toEqual(m(2));
    expect(await session.popItem()).toEqual(m(1));
    expect(await session.popItem()).toBeUndefined();
    expect(store.changes).toHaveLength(3);
    expect(store.queries).toEqual([]);
  });

  it('POP-1 tells an item that is null or false from none', async () => {
    const { session } = holding(['false', 'null', '""', '0']);
    const popped = [];
    for (let pop = 0; pop < 5; pop++) popped.push(await session.popItem());
    expect(popped).toEqual([0, '', null, false, undefined]);
  });

  it('POP-2 gives concurrent callers different items', async () => {
    const { session } = holding(rowsOf(m(1), m(2), m(3)));
    const popped = await Promise.all([
      session.popItem(),
      session.popItem(),
      session.popItem(),
      session.popItem(),
    ]);
    expect(popped).toEqual([m(3), m(2), m(1), undefined]);
  });

  it('POP-3 skips damaged records, and takes them along', async () => {
    const { session, store } = holding([...rowsOf(m(1), m(2)), DAMAGED, '', '=[[']);
    expect(await session.popItem()).toEqual(m(2));
    expect(store.records).toEqual(rowsOf(m(1)));
  });

  it('POP-3 finds a session empty that holds damaged records only', async () => {
    const { session, store } = holding([DAMAGED, DAMAGED]);
    expect(await session.getItems()).toEqual([]);
    expect(await session.popItem()).toBeUndefined();
    expect(store.records).toEqual([]);
  });

  it('POP-4 fails and deletes nothing, where the newest cannot be read here', async () => {
    const { session, store } = holding([...rowsOf(m(1)), '~sealed']);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await rejectionOf(session.popItem())).toMatchObject({
        code: 'UNREADABLE_ITEM',
        adapter: 'scripted',
      });
    }
    expect(store.records).toEqual([...rowsOf(m(1)), '~sealed']);
    expect(store.changes).toHaveLength(2);
  });

  it('POP-4 stops at one that cannot be read behind damaged ones', async () => {
    const { session, store } = holding([...rowsOf(m(1)), '~sealed', DAMAGED]);
    expect(await rejectionOf(session.popItem())).toMatchObject({ code: 'UNREADABLE_ITEM' });
    expect(store.records.slice(0, 2)).toEqual([...rowsOf(m(1)), '~sealed']);
  });
});

describe('clearSession', () => {
  it('CLR-1 CLR-4 empties a session, a new one too, which can be used again', async () => {
    const { session, store } = open();
    await session.clearSession();
    await session.addItems([m(1), m(2)]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    await session.addItems([m(3)]);
    expect(await session.getItems()).toEqual([m(3)]);
    expect(store.changes[2]).toMatchObject({ drop: 'all', add: [], clear: true });
  });

  it('CLR-1 removes also what cannot be read here', async () => {
    const { session, store } = holding(['~sealed', DAMAGED]);
    await session.clearSession();
    expect(store.records).toEqual([]);
  });
});

describe('replaceHistoryWithCompaction', () => {
  it('RPL-1 makes the history exactly the items, in one change and without a read', async () => {
    const { session, store } = holding([...rowsOf(m(1), m(2)), DAMAGED]);
    const items = [{ type: 'compaction', data: 'c' }, m(3)];
    await session.replaceHistoryWithCompaction(items);
    expect(contentOf(store)).toEqual(items);
    expect(store.changes).toHaveLength(1);
    expect(store.queries).toEqual([]);
    expect(await session.getSessionId()).toBe('thread-1');
  });

  it('RPL-1 takes an empty history too', async () => {
    const { session, store } = holding(rowsOf(m(1)));
    await session.replaceHistoryWithCompaction([]);
    expect(store.records).toEqual([]);
  });

  it('RPL-1 TXN-2 leaves the operations remembered, which a clear forgets', async () => {
    const { session } = open();
    const once = { operationId: 'op', transaction: { type: 'append_items' as const, items: [m(1)] } };
    await session.applyHistoryTransaction(once);
    await session.replaceHistoryWithCompaction([m(2)]);
    await session.applyHistoryTransaction(once);
    expect(await session.getItems()).toEqual([m(2)]);
    await session.replaceHistoryWithCompaction([]);
    await session.applyHistoryTransaction(once);
    expect(await session.getItems()).toEqual([]);
    await session.clearSession();
    await session.applyHistoryTransaction(once);
    expect(await session.getItems()).toEqual([m(1)]);
  });

  it('ADD-4 ADD-5 snapshots and checks its items as addItems does', async () => {
    const { session, store } = holding(rowsOf(m(1)));
    const item = { content: 'before' };
    const replacing = session.replaceHistoryWithCompaction([item]);
    item.content = 'after';
    await replacing;
    const error = await rejectionOf(session.replaceHistoryWithCompaction([m(1), Symbol('x')]));
    expect(error).toMatchObject({ code: 'INVALID_ITEM', index: 1 });
    expect(contentOf(store)).toEqual([{ content: 'before' }]);
  });
});
