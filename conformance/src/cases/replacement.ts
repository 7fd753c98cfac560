import { type ConformanceCase, promise } from '../case.ts';
import { holds, meanwhile, refused, same } from '../check.ts';
import { message, messages } from '../items.ts';
import { isEqual } from '../own-realm.ts';

export const replacementCases: ConformanceCase[] = [
  promise(
    'RPL-1',
    'the history becomes exactly the items, under the same id',
    async (bench) => {
      const session = await bench.session();
      await session.addItems(messages(0, 300));
      await session.replaceHistoryWithCompaction!(messages(500, 510));
      same(await session.getItems(), messages(500, 510), 'Replaced');
      same(await session.getSessionId(), session.sessionId, 'The same id');
      await session.addItems([message(510)]);
      same(await (await bench.elsewhere(session)).getItems(), messages(500, 511), 'Appended to');
      await session.replaceHistoryWithCompaction!([]);
      same(await session.getItems(), [], 'Replaced by nothing');
      await session.replaceHistoryWithCompaction!(messages(0, 2));
      same(await session.getItems(), messages(0, 2), 'And from nothing');
    },
    'replacement',
  ),

  promise(
    'RPL-1',
    'a reader sees the old history or the new one',
    async (bench) => {
      const session = await bench.session();
      const reader = await bench.elsewhere(session);
      await session.addItems(messages(0, 200));
      const replacements = (async () => {
        for (let round = 0; round < 20; round++) {
          await session.replaceHistoryWithCompaction!(round % 2 ? messages(0, 200) : messages(0, 3));
        }
      })();
      await meanwhile(replacements, async () => {
        const { length } = await reader.getItems();
        holds(length === 200 || length === 3, '200 items or 3', length);
      });
    },
    'replacement',
  ),

  promise(
    'RPL-1',
    'of what others append at the same time all is replaced or all is kept',
    async (bench) => {
      const session = await bench.session();
      const other = await bench.elsewhere(session);
      for (let round = 0; round < 20; round++) {
        await session.replaceHistoryWithCompaction!(messages(0, 5));
        const replacing = session.replaceHistoryWithCompaction!(messages(10, 12));
        await Promise.all([replacing, other.addItems(messages(20, 23))]);
        const left = await session.getItems();
        const allowed = [messages(10, 12), [...messages(10, 12), ...messages(20, 23)]];
        const whole = allowed.some((one) => JSON.stringify(one) === JSON.stringify(left));
        holds(whole, 'The new history, with the append after it or without', left);
      }
    },
    'replacement',
  ),

  promise(
    'RPL-1',
    'what is appended once the new history can be read follows it',
    async (bench) => {
      const session = await bench.session();
      const other = await bench.elsewhere(session);
      await session.addItems(messages(0, 5));
      for (let round = 10; round < 20; round++) {
        const added = { round };
        let adding: Promise<void> | undefined;
        await meanwhile(session.replaceHistoryWithCompaction!([message(round)]), async () => {
          const [first] = await other.getItems();
          if (isEqual(first, message(round))) adding ??= other.addItems([added]);
        });
        adding ??= other.addItems([added]);
        await adding;
        same(await session.getItems(), [message(round), added], 'The new history, and the append');
      }
    },
    'replacement',
  ),

  promise(
    'RPL-1',
    'items that cannot be stored leave the old history',
    async (bench) => {
      const session = await bench.session();
      await session.addItems(messages(0, 2));
      const replacing = session.replaceHistoryWithCompaction!([message(5), { content: Symbol('x') }]);
      await refused(replacing, 'INVALID_ITEM', 'A symbol');
      same(await session.getItems(), messages(0, 2), 'The old history');
    },
    'replacement',
  ),

  promise(
    'RPL-1',
    'a writer that is cut off in the middle leaves the old history or the new one',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const warm = bench.sessionOn(connection);
      await warm.addItems(messages(0, 3));
      const session = bench.sessionOn(connection, { sessionId: warm.sessionId, timeoutMs: 400 });
      const cut = proxy.cutNextRequest();
      const replacing = session.replaceHistoryWithCompaction!(messages(10, 2_000)).catch(() => undefined);
      await cut;
      proxy.refuse();
      await replacing;
      const left = await (await bench.elsewhere(session)).getItems();
      const whole = [messages(0, 3), messages(10, 2_000)].some(
        (one) => JSON.stringify(one) === JSON.stringify(left),
      );
      holds(whole, 'One of the two', left.length);
    },
    'replacement',
    'wire',
  ),

  {
    ...promise('RPL-1', 'an adapter without replacement does not have the method', async (bench) => {
      same('replaceHistoryWithCompaction' in (await bench.session()), false, 'No stub');
    }),
    without: 'replacement',
  },
];
