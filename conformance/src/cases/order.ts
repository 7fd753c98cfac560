import { promise } from '../case.ts';
import { holds, meanwhile, same } from '../check.ts';
import { message, messages } from '../items.ts';

/** Runs something while the clock of this process stands, jumps back, or runs ahead. */
async function withClock(now: () => number, run: () => Promise<void>): Promise<void> {
  const RealDate = globalThis.Date;
  globalThis.Date = class extends RealDate {
    constructor(value: number | string | Date = now()) {
      super(value);
    }

    static override now(): number {
      return now();
    }
  } as DateConstructor;
  try {
    await run();
  } finally {
    globalThis.Date = RealDate;
  }
}

export const orderCases = [
  promise('ORD-1', 'what concurrent readers see only ever grows while others append', async (bench) => {
    const first = await bench.session();
    const writers = [first, await bench.elsewhere(first)];
    const readers = [await bench.elsewhere(first), await bench.elsewhere(first)];
    const writes = Promise.all(
      writers.map(async (writer, index) => {
        for (let at = 0; at < 40; at++) await writer.addItems([{ writer: index, at }]);
      }),
    );
    const seen: unknown[][] = readers.map(() => []);
    await meanwhile(writes, async () => {
      await Promise.all(
        readers.map(async (reader, index) => {
          const now = await reader.getItems();
          const before = seen[index]!;
          same(now.slice(0, before.length), before, 'A later read begins with what an earlier one returned');
          seen[index] = now;
        }),
      );
    });
    const all = (await first.getItems()) as { writer: number; at: number }[];
    for (const index of [0, 1]) {
      const own = all.filter(({ writer }) => writer === index).map(({ at }) => at);
      same(
        own,
        Array.from({ length: 40 }, (_, at) => at),
        `Writer ${index}'s items are in its order`,
      );
    }
  }),

  promise('ORD-1', 'adds and pops together neither lose nor double anything', async (bench) => {
    const first = await bench.session();
    const second = await bench.elsewhere(first);
    const popped: unknown[] = [];
    const adding = (async () => {
      for (let at = 0; at < 60; at++) await first.addItems([message(at)]);
    })();
    const popping = (async () => {
      for (let at = 0; at < 60; at++) popped.push(await second.popItem());
    })();
    await Promise.all([adding, popping]);
    const got = [...popped.filter((item) => item !== undefined), ...(await first.getItems())] as {
      content: string;
    }[];
    const contents = got.map(({ content }) => content).sort();
    same(
      contents,
      messages(0, 60)
        .map(({ content }) => content)
        .sort(),
      'Each item exactly once',
    );
  }),

  promise('ORD-1', 'of an append and a clear at once, one is wholly before the other', async (bench) => {
    const first = await bench.session();
    const second = await bench.elsewhere(first);
    for (let round = 0; round < 20; round++) {
      await first.addItems(messages(0, 2));
      await Promise.all([second.clearSession(), first.addItems(messages(10, 13))]);
      const left = await first.getItems();
      const whole = [[], messages(10, 13)].some((wanted) => JSON.stringify(wanted) === JSON.stringify(left));
      holds(whole, 'Nothing, or the new batch and no more', left);
      await first.clearSession();
    }
  }),

  promise('ORD-2', '25 first writers at once lose nothing and fail nothing', async (bench) => {
    const sessionId = bench.freshId();
    const connections = await Promise.all(Array.from({ length: 5 }, () => bench.connect()));
    const writers = Array.from({ length: 25 }, (_, at) =>
      bench.sessionOn(connections[at % 5]!, { sessionId }),
    );
    await Promise.all(writers.map((writer, at) => writer.addItems([message(at)])));
    const found = (await writers[0]!.getItems()) as { content: string }[];
    const contents = found.map(({ content }) => content);
    same(
      contents.sort(),
      messages(0, 25)
        .map(({ content }) => content)
        .sort(),
      'Each item once',
    );
  }),

  promise('ORD-3', 'clocks that stand, jump or differ change nothing', async (bench) => {
    const session = await bench.session();
    const clocks = [
      () => 0,
      () => 4_102_444_800_000,
      () => 1,
      () => 1_700_000_000_000,
      () => 1_600_000_000_000,
    ];
    for (const [index, clock] of clocks.entries()) {
      await withClock(clock, () => session.addItems(messages(index * 3, index * 3 + 3)));
    }
    same(await session.getItems(), messages(0, 15), 'The order of the calls');
    await withClock(
      () => 0,
      async () => same(await session.popItem(), message(14), 'The newest'),
    );
  }),

  promise('ORD-3', 'the clocks of two writers differ, and neither is the right one', async (bench) => {
    const first = await bench.session();
    const second = await bench.elsewhere(first);
    const years = [2023, 2020, 2099, 1970, 2024, 1999];
    for (const [index, year] of years.entries()) {
      const writer = index % 2 === 0 ? first : second;
      const added = messages(index * 3, index * 3 + 3);
      await withClock(
        () => Date.UTC(year),
        () => writer.addItems(added),
      );
    }
    same(await first.getItems(), messages(0, 18), 'The order of the calls');
    same(await second.popItem(), message(17), 'The newest');
  }),

  promise('ORD-3', 'a clock that stands gives no two batches the same place', async (bench) => {
    const first = await bench.session();
    const second = await bench.elsewhere(first);
    await withClock(
      () => 5,
      async () => {
        for (let at = 0; at < 12; at++) await (at % 3 === 0 ? second : first).addItems([message(at)]);
      },
    );
    same(await second.getItems(), messages(0, 12), 'Each of them, in the order of the calls');
  }),

  promise('ORD-4', 'calls through one instance take effect in the order they were made', async (bench) => {
    const session = await bench.session();
    const reads: Promise<unknown[]>[] = [];
    const calls: Promise<unknown>[] = [];
    for (let at = 0; at < 30; at++) {
      calls.push(session.addItems([message(at)]));
      reads.push(session.getItems());
    }
    const pops = [session.popItem(), session.popItem()];
    calls.push(session.addItems([message(30)]));
    const last = session.getItems();
    await Promise.all(calls);
    for (const [at, read] of reads.entries())
      same(await read, messages(0, at + 1), `The read after write ${at + 1}`);
    same(await Promise.all(pops), [message(29), message(28)], 'Two pops');
    same(await last, [...messages(0, 28), message(30)], 'The last read');
    const clearing = session.clearSession();
    const after = session.addItems([message(0)]);
    await Promise.all([clearing, after]);
    same(await session.getItems(), [message(0)], 'A clear, then an add');
  }),
];
