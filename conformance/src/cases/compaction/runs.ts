import type { Bench } from '../../bench.ts';
import type { ConformanceCase } from '../../case.ts';
import { holds, same } from '../../check.ts';
import type { CompactingSession } from '../../compaction.ts';
import { compacted, compacts, FORCED, history, sourceOf } from './compacting.ts';
import { asks, calls, gives, says, thinks, turns, wordsOf } from './compaction-items.ts';

/** At the end of a run of the official runner (CMP-7). */
export const runCases: ConformanceCase[] = [
  compacts('CMP-7', 'at the end of a run, what the model has seen is compacted', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(9));
    for (const nth of [1, 2]) {
      const { items, ownership } = await session.getItemsWithCompactionOwnership!();
      const fresh = Array.from({ length: 10 }, (_, at) => says(`${nth}.${at}`));
      await session.addItemsWithCompactionOwnership!([asks(`run ${nth}`), ...fresh], ownership);
      const seen = [...items, asks(`run ${nth}`), ...fresh];
      const result = await session.runCompaction({}, {}, ownership, { items: seen });
      holds(result !== null, 'It is due', await history(session));
      same(wordsOf(api.requests.at(-1)?.input), wordsOf(seen), 'What the model has seen is sent');
      const left = await history(session);
      same(left.slice(-2), [`asks run ${nth}`, `compaction sealed ${nth}`], 'It is replaced');
    }
  }),

  compacts('CMP-7', 'a run goes by the chain of its own response', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(9));
    const { items, ownership } = await session.getItemsWithCompactionOwnership!();
    await session.addItemsWithCompactionOwnership!(turns(1), ownership);
    const exchange = { items: [...items, ...turns(1)], responseId: 'r2' };
    await session.runCompaction({ responseId: 'r1' }, {}, ownership, exchange);
    same(sourceOf(api), 'the chain of r2', 'Of the exchange');
  }),

  ...(
    [
      ['without a receipt', async () => null],
      ['without a model exchange', async (ownership: object) => ownership, true],
      [
        'after somebody else added something',
        async (ownership: object, session: CompactingSession) => {
          await session.addItems([asks('else')]);
          return ownership;
        },
      ],
      [
        'after a pop',
        async (ownership: object, session: CompactingSession) => {
          await session.popItem();
          return ownership;
        },
      ],
      [
        'with the receipt of another wrapper',
        async (_: object, _session: CompactingSession, bench: Bench) => {
          const { session: other } = await bench.compacting();
          return (await other.getItemsWithCompactionOwnership!()).ownership;
        },
      ],
      [
        'with a receipt that was stale when the run added its items',
        async (ownership: object, session: CompactingSession) => {
          await session.addItems([asks('else')]);
          await session.popItem();
          await session.addItemsWithCompactionOwnership!([], ownership);
          return ownership;
        },
      ],
    ] as const
  ).map(([name, spoil, isBlind = false]) =>
    compacts('CMP-7', `nothing is compacted at the end of a run ${name}`, async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(12));
      const { items, ownership } = await session.getItemsWithCompactionOwnership!();
      const receipt = await spoil(ownership, session, bench);
      const before = await history(session);
      const exchange = isBlind ? undefined : { items: [...items, asks('else')], responseId: 'r' };
      same(await session.runCompaction({ ...FORCED }, {}, receipt, exchange), null, 'Skipped');
      same(api.requests.length, 0, 'No request is made');
      same(await history(session), before, 'Unchanged');
    }),
  ),

  compacts('CMP-7', 'nothing is compacted that the model was not shown', async (bench) => {
    for (const hide of [
      (items: unknown[]) => items.slice(1),
      (items: unknown[]) => items.filter((_, at) => at !== 5),
      (items: unknown[]) => items.slice(0, -1),
      (items: unknown[]) => [...items.slice(2), ...items.slice(0, 2)],
      (items: unknown[]) => items.map((item, at) => (at === 3 ? says('something else') : item)),
    ]) {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(12));
      const { items, ownership } = await session.getItemsWithCompactionOwnership!();
      const exchange = { items: hide(items), responseId: 'r' };
      same(await session.runCompaction({}, {}, ownership, exchange), null, 'Skipped');
      same(api.requests.length, 0, 'No request is made');
      same(await history(session), wordsOf(turns(12)), 'Unchanged');
    }
  }),

  compacts('CMP-7', 'nothing that somebody added elsewhere is compacted unseen', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(12));
    const { items, ownership } = await session.getItemsWithCompactionOwnership!();
    await (await bench.elsewhere(session)).addItems([asks('unseen')]);
    const exchange = { items, responseId: 'r' };
    same(await session.runCompaction({}, {}, ownership, exchange), null, 'Skipped');
    same(api.requests.length, 0, 'No request is made');
    same(await history(session), [...wordsOf(turns(12)), 'asks unseen'], 'Unchanged');
  }),

  compacts('CMP-7', 'a call that waits for its output is neither sent nor taken away', async (bench) => {
    for (const args of [FORCED, { responseId: 'r', ...FORCED }]) {
      const { session, api } = await bench.compacting();
      await session.addItems([...turns(4), thinks({ id: 'rs_1' }), calls('open'), asks('still there?')]);
      await session.runCompaction(args);
      same(sourceOf(api), 'input of 9', 'Its chain may hold the call');
      holds(!wordsOf(api.requests[0]?.input).includes('calls open'), 'The call is not sent', api.requests[0]);
      await session.addItems([gives('open'), says('done')]);
      const left = await history(session);
      const end = ['thinks rs_1', 'calls open', 'gives open', 'says done'];
      same(left.slice(-4), end, 'The call, with its reasoning, is right before its output');
      await session.runCompaction(FORCED);
      same(
        (await history(session)).slice(-2),
        ['asks still there?', 'compaction sealed 2'],
        'Whole, it goes',
      );
    }
  }),

  compacts('CMP-7', 'an output that comes while the API is asked stays with its call', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems([...turns(4), calls('a'), calls('b'), gives('b')]);
    const other = await bench.elsewhere(session);
    api.meanwhile = () => other.addItems([gives('a')]);
    await session.runCompaction(FORCED);
    const left = await history(session);
    same(left, [...compacted(4), 'calls a', 'gives a'], 'Side by side');
  }),

  compacts(
    'CMP-7',
    'an output that comes after the last response was named stays with its call',
    async (bench) => {
      const { session } = await bench.compacting();
      await session.addItems([...turns(4), calls('a')]);
      same(await session.runCompaction({ responseId: 'r' }), null, 'Not due');
      await session.addItems([gives('a')]);
      await session.runCompaction(FORCED);
      const left = await history(session);
      const isParted = left.includes('gives a') !== left.includes('calls a');
      holds(!isParted, 'Both are there, or neither', left);
    },
  ),
];
