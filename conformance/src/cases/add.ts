import { promise } from '../case.ts';
import { ClauseBroken, holds, meanwhile, refused, same } from '../check.ts';
import { callAndOutput, message, messages } from '../items.ts';
import { SECRET } from './secret.ts';

const MIB = 1024 * 1024;

/** An item whose JSON text has exactly so many bytes. */
function itemOf(bytes: number, filler = 'x'): { content: string } {
  return {
    content: filler.repeat((bytes - '{"content":""}'.length) / new TextEncoder().encode(filler).length),
  };
}

export const addCases = [
  promise('ADD-1', 'items keep their order within a batch, and batches theirs', async (bench) => {
    const session = await bench.session();
    const sizes = [1, 3, 1, 17, 2, 60, 1];
    let next = 0;
    for (const size of sizes) {
      await session.addItems(messages(next, next + size));
      next += size;
    }
    same(await session.getItems(), messages(0, next), 'All in order');
  }),

  promise('ADD-1', 'batches of concurrent writers stay contiguous', async (bench) => {
    const first = await bench.session();
    const writers = [
      first,
      await bench.elsewhere(first),
      await bench.elsewhere(first),
      await bench.elsewhere(first),
    ];
    const ids = writers.flatMap((_, writer) => Array.from({ length: 15 }, (__, at) => `${writer}-${at}`));
    await Promise.all(ids.map((id, at) => writers[at % writers.length]!.addItems(callAndOutput(id))));
    const found = (await first.getItems()) as { callId: string }[];
    same(found.length, ids.length * 2, 'Nothing is lost and nothing doubled');
    for (let at = 0; at < found.length; at += 2) {
      same(
        found.slice(at, at + 2),
        callAndOutput(found[at]!.callId),
        'Each call is followed by its own output',
      );
    }
    same(new Set(found.map(({ callId }) => callId)), new Set(ids), 'Each batch is there once');
  }),

  promise(
    'ADD-2',
    'adding nothing changes nothing',
    async (bench) => {
      const session = await bench.session();
      await session.addItems([]);
      const left = await bench.contentsWith(session.sessionId);
      same(left, [], 'The store holds nothing of the session');
      await session.addItems([message(0)]);
      await session.addItems([]);
      same(await session.getItems(), [message(0)], 'The history is as it was');
    },
    'contents',
  ),

  promise(
    'ADD-2',
    'adding nothing makes no call to the store',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const session = bench.sessionOn(connection);
      await session.getItems();
      const before = proxy.sent;
      await session.addItems([]);
      same(proxy.sent, before, 'Nothing is sent');
    },
    'wire',
  ),

  promise('ADD-3', 'a batch of any number of items is stored whole', async (bench) => {
    for (const count of [1, 25, 26, 100, 101, 2_000, 12_345]) {
      const session = await bench.session();
      await session.addItems(messages(0, count));
      same(await session.getItems(), messages(0, count), `${count} items`);
      same(await session.getItems(2), messages(Math.max(0, count - 2), count), `The end of ${count} items`);
      await session.clearSession();
    }
  }),

  promise('ADD-3', 'items of any size up to the maximum are stored', async (bench) => {
    const session = await bench.session();
    const sizes = [399 * 1024, 401 * 1024, MIB, 17 * MIB, 32 * MIB];
    for (const size of sizes) await session.addItems([itemOf(size)]);
    for (const size of sizes.reverse()) {
      const popped = (await session.popItem()) as { content: string };
      same(popped.content.length, itemOf(size).content.length, `An item of ${size} bytes`);
    }
    await session.addItems(Array.from({ length: 20 }, (_, at) => ({ ...itemOf(MIB), at })));
    const found = (await session.getItems()) as { at: number; content: string }[];
    same(
      found.map(({ at }) => at),
      Array.from({ length: 20 }, (_, at) => at),
      '20 items of 1 MiB',
    );
    await session.clearSession();
  }),

  promise('ADD-3', 'a batch of the maximum size is stored whole', async (bench) => {
    const session = await bench.session({ timeoutMs: 50_000 });
    await session.addItems(Array.from({ length: 64 }, () => itemOf(MIB)));
    same((await session.getItems(64)).length, 64, '64 items of 1 MiB in one batch');
    await session.clearSession();
  }),

  promise('ADD-3', 'a concurrent reader never sees part of a batch', async (bench) => {
    const writer = await bench.session();
    const reader = await bench.elsewhere(writer);
    const writes = (async () => {
      for (let batch = 0; batch < 10; batch++) await writer.addItems(messages(0, 400));
    })();
    const partial: number[] = [];
    await meanwhile(writes, async () => {
      const { length } = await reader.getItems();
      if (length % 400 !== 0) partial.push(length);
    });
    same(partial, [], 'Only whole batches of 400 are ever seen');
  }),

  promise('ADD-4', 'what the caller does to the items afterwards changes nothing', async (bench) => {
    const session = await bench.session();
    const inner = { list: [1, 2, 3] };
    const items: unknown[] = [{ role: 'user', inner }, message(1)];
    const adding = session.addItems(items);
    inner.list.push(4);
    (items[0] as { role: string }).role = 'changed';
    items.push(message(2));
    items.reverse();
    await adding;
    const wanted = [{ role: 'user', inner: { list: [1, 2, 3] } }, message(1)];
    same(await session.getItems(), wanted, 'The items as they were at the call');
    const bytes = new Uint8Array([1, 2, 3]);
    const date = new Date(5);
    const map = new Map([['a', 1]]);
    const more = session.addItems([{ bytes, date, map }]);
    bytes.fill(9);
    date.setTime(9);
    map.set('b', 2);
    await more;
    const rich = { bytes: new Uint8Array([1, 2, 3]), date: new Date(5), map: new Map([['a', 1]]) };
    same(await session.getItems(1), [rich], 'Bytes, dates and maps too');
  }),

  promise('ADD-4', 'a call that has to wait for its turn snapshots at the call too', async (bench) => {
    const session = await bench.session();
    const item = { content: 'before' };
    const calls = [session.addItems(messages(0, 500)), session.addItems([item])];
    item.content = 'after';
    await Promise.all(calls);
    same(await session.getItems(1), [{ content: 'before' }], 'The item as it was at the call');
  }),

  promise('ADD-5', 'one item that cannot be stored keeps the whole batch out', async (bench) => {
    const session = await bench.session();
    await session.addItems([message(0)]);
    const bad = [message(1), { role: 'user', content: [{ deep: [1, () => SECRET] }] }, message(2)];
    const error = await refused(session.addItems(bad), 'INVALID_ITEM', 'A function inside');
    same(error.index, 1, 'The index of the item');
    holds(
      error.path?.includes('content') === true && error.path.includes('deep'),
      'The path inside',
      error.path,
    );
    holds(!error.message.includes(SECRET), 'No content in the message', error.message);
    await refused(
      session.addItems('no array' as never),
      ['INVALID_ARGUMENT', 'INVALID_ITEM'],
      'Not an array',
    );
    await refused(session.addItems([undefined]), 'INVALID_ITEM', 'undefined is not an item');
    await refused(
      session.addItems(Object.assign(new Array(3), { 0: message(1), 2: message(2) })),
      'INVALID_ITEM',
      'A hole is not an item',
    );
    same(await session.getItems(), [message(0)], 'Nothing of the batches is stored');
  }),

  promise(
    'ADD-6',
    'items come back as they were given: nothing merged, renamed, added or taken',
    async (bench) => {
      const session = await bench.session();
      const items = [
        message(1),
        message(1),
        { id: 'msg_1', role: 'assistant', status: 'completed', content: [] },
        { id: 'msg_1', role: 'assistant', status: 'completed', content: [] },
        { type: 'function_call', callId: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call', callId: 'c', name: 'f', arguments: '{}' },
        {
          _id: 1,
          sequence: 2,
          createdAt: 3,
          version: 4,
          ttl: 5,
          pk: 6,
          sk: 7,
          key: 8,
          data: 9,
          seq: 10,
          item: 11,
        },
        { content: '' },
        {},
        { z: 1, a: 2, m: 3 },
      ];
      await session.addItems(items);
      const found = await session.getItems();
      same(found, items, 'The same items');
      same(JSON.stringify(found), JSON.stringify(items), 'With their keys in the same order');
    },
  ),

  promise(
    'ADD-7',
    'what an append moves does not grow with the history',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const cost = async (length: number) => {
        const session = bench.sessionOn(connection);
        if (length > 0) await session.addItems(messages(0, length));
        await session.addItems([message(0)]);
        const before = proxy.sent + proxy.received;
        await session.addItems([message(1)]);
        return proxy.sent + proxy.received - before;
      };
      const short = await cost(0);
      const long = await cost(5_000);
      holds(long < short * 1.5 + 200, 'An append to 5,000 items moves as much as one to none', {
        short,
        long,
      });
    },
    'wire',
  ),

  promise('ADD-8', 'over the maximum nothing is written', async (bench) => {
    const session = await bench.session();
    await session.addItems([message(0)]);
    const over: [string, unknown[]][] = [
      ['one byte over 32 MiB', [message(1), itemOf(32 * MIB + 1)]],
      ['two-byte characters over 32 MiB', [itemOf(32 * MIB + 2, 'é')]],
      ['a batch over 64 MiB', [itemOf(32 * MIB), itemOf(32 * MIB), message(1)]],
    ];
    for (const [what, items] of over) await refused(session.addItems(items), 'ITEM_TOO_LARGE', what);
    same(await session.getItems(), [message(0)], 'Nothing was written');
  }),

  promise('ADD-8', 'an item that is large only when written out is refused in time', async (bench) => {
    const session = await bench.session();
    const leaves: [string, unknown][] = [
      ['A terabyte in 40 objects', { leaf: 'x'.repeat(100) }],
      ['As many empty strings', ''],
    ];
    for (const [what, leaf] of leaves) {
      let item = leaf;
      for (let level = 0; level < 40; level++) item = [item, item];
      const error = await refused(session.addItems([item]), ['ITEM_TOO_LARGE', 'INVALID_ITEM'], what);
      if (error.index !== 0) throw new ClauseBroken('The error names the item', 0, error.index);
    }
  }),
];
