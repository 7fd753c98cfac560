import { promise } from '../case.ts';
import { refused, same } from '../check.ts';
import { message, messages } from '../items.ts';

export const popCases = [
  promise('POP-1', 'the newest item is removed and returned; undefined when there is none', async (bench) => {
    const session = await bench.session();
    same(await session.popItem(), undefined, 'A session never written to');
    await session.addItems(messages(0, 3));
    same(await session.popItem(), message(2), 'The newest');
    same(await session.getItems(), messages(0, 2), 'It is gone');
    await session.addItems([message(3)]);
    same(await session.popItem(), message(3), 'The newest again');
    same(await session.popItem(), message(1), 'The one before');
    same(await session.popItem(), message(0), 'The first');
    same(await session.popItem(), undefined, 'Nothing left');
    same(await session.getItems(), [], 'The session is empty');
    await session.addItems([message(4)]);
    same(await session.getItems(), [message(4)], 'It can be filled again');
  }),

  promise('POP-1', 'an item of any size and kind is popped', async (bench) => {
    const session = await bench.session();
    const items = [
      { content: 'x'.repeat(4_000) },
      { content: 'é'.repeat(5_000) },
      { content: 'x'.repeat(200_000) },
      { bytes: new Uint8Array(70_000).fill(7) },
      null,
      '',
      0,
      [],
    ];
    await session.addItems(items);
    for (const item of items.toReversed()) same(await session.popItem(), item, 'The item itself');
    same(await session.popItem(), undefined, 'Nothing left');
  }),

  promise('POP-2', '40 concurrent pops of 40 items return 40 different ones', async (bench) => {
    const first = await bench.session();
    const poppers = [
      first,
      await bench.elsewhere(first),
      await bench.elsewhere(first),
      await bench.elsewhere(first),
    ];
    await first.addItems(messages(0, 40));
    const popped = await Promise.all(Array.from({ length: 40 }, (_, at) => poppers[at % 4]!.popItem()));
    const order = (item: unknown) => Number((item as { content: string } | undefined)?.content.slice(1));
    same(
      popped.sort((a, b) => order(a) - order(b)),
      messages(0, 40),
      'Each item once',
    );
    same(await first.getItems(), [], 'None is left');
    same(await first.popItem(), undefined, 'Nothing more to pop');
  }),

  promise('POP-2', 'more pops than items: the others get nothing', async (bench) => {
    const first = await bench.session();
    const second = await bench.elsewhere(first);
    await first.addItems(messages(0, 5));
    const popped = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (at % 2 ? first : second).popItem()),
    );
    const got = popped.filter((item) => item !== undefined) as { content: string }[];
    same(
      new Set(got.map(({ content }) => content)),
      new Set(messages(0, 5).map(({ content }) => content)),
      'Each once',
    );
    same(got.length, 5, 'No more than there were');
  }),

  promise(
    'POP-3',
    'a damaged newest record is skipped; read and pop agree',
    async (bench) => {
      const session = await bench.session();
      await session.addItems(messages(0, 3));
      for (let count = 0; count < 3; count++) await bench.backdoor.plant(session.sessionId, 'damaged');
      same(await session.getItems(), messages(0, 3), 'A read skips them');
      same(await session.popItem(), message(2), 'So does a pop');
      await bench.backdoor.plant(session.sessionId, 'damaged');
      await session.addItems([message(3)]);
      same(await session.popItem(), message(3), 'A good one above');
      same(await session.popItem(), message(1), 'The next good one');
      same(await session.popItem(), message(0), 'The last good one');
      same(await session.popItem(), undefined, 'No readable one left');
      same(await session.getItems(), [], 'Reads agree');
    },
    'plant',
  ),

  promise(
    'POP-4',
    'what a newer version wrote is neither read over nor popped nor deleted',
    async (bench) => {
      const session = await bench.session();
      await session.addItems(messages(0, 2));
      await bench.backdoor.plant(session.sessionId, 'held');
      const before = await bench.backdoor.records(session.sessionId);
      await refused(session.popItem(), 'UNREADABLE_ITEM', 'A pop');
      await refused(session.getItems(), 'UNREADABLE_ITEM', 'A read of all');
      await refused(session.getItems(1), 'UNREADABLE_ITEM', 'A read of the newest');
      same(await bench.backdoor.records(session.sessionId), before, 'Nothing was deleted');
      await session.addItems([message(2)]);
      same(await session.getItems(1), [message(2)], 'What is above it can be read');
      same(await session.popItem(), message(2), 'And popped');
      await refused(session.popItem(), 'UNREADABLE_ITEM', 'A pop again');
      same(await bench.backdoor.records(session.sessionId), before, 'Still nothing was deleted');
      await session.clearSession();
      same(await session.getItems(), [], 'A clear removes it');
    },
    'plant',
    'records',
  ),
];
