import { promise } from '../case.ts';
import { holds, refused, same } from '../check.ts';
import { message, messages } from '../items.ts';

export const getCases = [
  promise(
    'GET-1',
    'a session never written to reads as empty, and reading creates nothing',
    async (bench) => {
      const session = await bench.session();
      same(await session.getItems(), [], 'No items');
      same(await session.getItems(5), [], 'No items with a limit');
      const left = await bench.contentsWith(session.sessionId);
      same(left, [], 'The store holds nothing of it');
    },
    'contents',
  ),

  promise('GET-2', 'all items, oldest first, from whichever instance', async (bench) => {
    const session = await bench.session();
    for (const index of [0, 1, 2]) await session.addItems([message(index)]);
    await session.addItems(messages(3, 30));
    same(await session.getItems(), messages(0, 30), 'The same instance');
    same(
      await (await bench.session({ sessionId: session.sessionId })).getItems(),
      messages(0, 30),
      'A new instance',
    );
    same(await (await bench.elsewhere(session)).getItems(), messages(0, 30), 'Another connection');
  }),

  promise('GET-2', 'a history longer than any page is read whole', async (bench) => {
    const session = await bench.session();
    await session.addItems(messages(0, 2_500));
    same(await session.getItems(), messages(0, 2_500), 'All 2,500');
    same(await session.getItems(Number.POSITIVE_INFINITY), messages(0, 2_500), 'All, asked for');
  }),

  promise('GET-3', 'the newest N, oldest first', async (bench) => {
    const session = await bench.session();
    await session.addItems(messages(0, 4));
    await session.addItems(messages(4, 10));
    for (const limit of [
      1,
      2,
      3,
      7,
      9,
      10,
      11,
      1_000,
      Number.MAX_SAFE_INTEGER,
      1e19,
      1e21,
      Number.MAX_VALUE,
    ]) {
      same(await session.getItems(limit), messages(Math.max(0, 10 - limit), 10), `Limit ${limit}`);
    }
  }),

  promise('GET-3', 'a limit may be larger than any page', async (bench) => {
    const session = await bench.session();
    await session.addItems(messages(0, 2_500));
    for (const limit of [101, 257, 1_001, 2_499]) {
      same(await session.getItems(limit), messages(2_500 - limit, 2_500), `Limit ${limit}`);
    }
  }),

  promise('GET-4', 'a limit of 0 or below gives nothing', async (bench) => {
    const session = await bench.session();
    await session.addItems(messages(0, 3));
    for (const limit of [0, -0, -1, -7, Number.MIN_SAFE_INTEGER, Number.NEGATIVE_INFINITY]) {
      same(await session.getItems(limit), [], `Limit ${limit}`);
    }
  }),

  promise(
    'GET-4',
    'a limit of 0 or below makes no call to the store',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const session = bench.sessionOn(connection);
      await session.addItems(messages(0, 3));
      const before = proxy.sent;
      for (const limit of [0, -1]) await session.getItems(limit);
      same(proxy.sent, before, 'Nothing is sent');
    },
    'wire',
  ),

  promise('GET-5', 'a limit that is not a whole number is refused, Infinity is all', async (bench) => {
    const session = await bench.session();
    await session.addItems(messages(0, 3));
    for (const bad of [Number.NaN, 1.5, -0.5, 0.1, '2', null, {}, [1], true, 2n]) {
      await refused(
        session.getItems(bad as number),
        'INVALID_LIMIT',
        `The limit was ${typeof bad} ${String(bad)}`,
      );
    }
    same(await session.getItems(Number.POSITIVE_INFINITY), messages(0, 3), 'Infinity');
  }),

  promise('GET-6', 'the explicit limit wins over the default, which wins over all', async (bench) => {
    const writer = await bench.session();
    await writer.addItems(messages(0, 5));
    const windowed = await bench.session({ sessionId: writer.sessionId, sessionSettings: { limit: 2 } });
    same(await windowed.getItems(), messages(3, 5), 'The default');
    same(await windowed.getItems(undefined), messages(3, 5), 'The default, asked for');
    same(await windowed.getItems(4), messages(1, 5), 'A larger explicit limit');
    same(await windowed.getItems(1), messages(4, 5), 'A smaller explicit limit');
    same(await windowed.getItems(Number.POSITIVE_INFINITY), messages(0, 5), 'All, asked for');
    const closed = await bench.session({ sessionId: writer.sessionId, sessionSettings: { limit: 0 } });
    same(await closed.getItems(), [], 'A default of 0');
    const open = await bench.session({ sessionId: writer.sessionId, sessionSettings: {} });
    same(await open.getItems(), messages(0, 5), 'No default');
    same(await windowed.popItem(), message(4), 'A window is no matter to a pop');
  }),

  promise(
    'GET-7',
    'a limit counts readable items: damaged records never take a place',
    async (bench) => {
      const session = await bench.session();
      await session.addItems(messages(0, 5));
      for (let count = 0; count < 7; count++) await bench.backdoor.plant(session.sessionId, 'damaged');
      same(await session.getItems(3), messages(2, 5), 'Damaged records newest');
      await session.addItems([message(5)]);
      await bench.backdoor.plant(session.sessionId, 'damaged');
      await session.addItems([message(6)]);
      same(await session.getItems(1), [message(6)], 'A good record newest');
      same(await session.getItems(3), messages(4, 7), 'Damaged records between');
      same(await session.getItems(100), messages(0, 7), 'More than there are');
      same(await session.getItems(), messages(0, 7), 'All');
    },
    'plant',
  ),

  promise(
    'GET-8',
    'what a limited read moves does not grow with the history, nor with what was removed',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const cost = async (prepare: (session: ReturnType<typeof bench.sessionOn>) => Promise<void>) => {
        const session = bench.sessionOn(connection);
        await prepare(session);
        await session.addItems(messages(10, 30));
        await session.getItems(20);
        const before = proxy.sent + proxy.received;
        same(await session.getItems(20), messages(10, 30), 'The newest 20');
        return proxy.sent + proxy.received - before;
      };
      const short = await cost(async () => undefined);
      const long = await cost((session) => session.addItems(messages(0, 3_000)));
      const popped = await cost(async (session) => {
        await session.addItems(messages(0, 200));
        for (let count = 0; count < 200; count++) await session.popItem();
      });
      const cleared = await cost(async (session) => {
        await session.addItems(messages(0, 1_000));
        await session.clearSession();
      });
      for (const [what, bytes] of Object.entries({ long, popped, cleared })) {
        holds(bytes < short * 1.5 + 200, `A read of 20 of a ${what} history moves no more`, {
          short,
          [what]: bytes,
        });
      }
    },
    'wire',
  ),

  promise('GET-9', 'a read sees what was just written, through whichever connection', async (bench) => {
    const writer = await bench.session();
    const reader = await bench.elsewhere(writer);
    for (let count = 1; count <= 30; count++) {
      await writer.addItems([message(count - 1)]);
      same(await reader.getItems(), messages(0, count), `After write ${count}`);
    }
    await writer.popItem();
    same(await reader.getItems(), messages(0, 29), 'After a pop');
    await writer.clearSession();
    same(await reader.getItems(), [], 'After a clear');
  }),
];
