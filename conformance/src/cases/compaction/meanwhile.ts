import type { AnySession } from '../../adapter.ts';
import type { Bench } from '../../bench.ts';
import type { ConformanceCase, Need } from '../../case.ts';
import { holds, same, underWay } from '../../check.ts';
import type { CompactingSession } from '../../compaction.ts';
import { compacted, compacts, FORCED, history } from './compacting.ts';
import { asks, calls, gives, says, turns, wordsOf } from './compaction-items.ts';

/** What somebody may do to a history, and what it leaves of it. */
interface Deed {
  readonly name: string;
  readonly needs: readonly Need[];
  do(session: AnySession): Promise<unknown>;
  left(before: readonly string[]): readonly string[];
}

const REWRITTEN = { type: 'function_call', callId: 'x', name: 'look', arguments: '{"a":1}' } as const;

/** All that takes something away. */
const DROPS: readonly Deed[] = [
  {
    name: 'a pop',
    needs: [],
    do: (session) => session.popItem(),
    left: (before) => before.slice(0, -1),
  },
  {
    name: 'a pop, and more that is added',
    needs: [],
    async do(session) {
      await session.popItem();
      await session.addItems([says('instead'), asks('more'), says('of it')]);
    },
    left: (before) => [...before.slice(0, -1), 'says instead', 'asks more', 'says of it'],
  },
  {
    name: 'a clear',
    needs: [],
    do: (session) => session.clearSession(),
    left: () => [],
  },
  {
    name: 'a clear, and a new conversation',
    needs: [],
    async do(session) {
      await session.clearSession();
      await session.addItems([asks('anew')]);
    },
    left: () => ['asks anew'],
  },
  {
    name: 'a rewrite',
    needs: ['rewrites'],
    do: (session) =>
      session.applyHistoryMutations!({
        mutations: [
          { type: 'replace_function_call', callId: 'x', replacement: { ...REWRITTEN, callId: 'y' } as never },
        ],
      }),
    left: (before) => before.map((word) => (word === 'calls x' ? 'calls y' : word)),
  },
  {
    name: 'a replaced suffix',
    needs: ['transactions'],
    do: (session) =>
      session.applyHistoryTransaction!({
        operationId: 'meanwhile',
        transaction: {
          type: 'replace_suffix',
          expectedSuffix: [says('a3')],
          replacement: [says('otherwise')],
        },
      }),
    left: (before) => [...before.slice(0, -1), 'says otherwise'],
  },
  {
    name: 'a replacement of everything',
    needs: ['replacement'],
    do: (session) => session.replaceHistoryWithCompaction!([asks('all new')]),
    left: () => ['asks all new'],
  },
];

/** By whom something is done while the API is asked. */
const WHO = [
  { by: 'through the same wrapper', of: async (_: Bench, session: CompactingSession) => session },
  { by: 'from elsewhere', of: (bench: Bench, session: CompactingSession) => bench.elsewhere(session) },
] as const;

/** A history with a call and its output in it. */
const START = [asks('q0'), calls('x'), gives('x'), says('a0'), ...turns(4).slice(2)];

/** How long others go on adding, in milliseconds: while the API answers, and while the history is replaced. */
const ADDING_MS = 100;

/** What others do meanwhile is not lost (CMP-2, CMP-3). */
export const meanwhileCases: ConformanceCase[] = [
  compacts('CMP-2', 'the whole history is compacted, whatever the default limit', async (bench) => {
    const { session, api } = await bench.compacting({}, { sessionSettings: { limit: 3 } });
    await session.addItems(turns(12));
    holds((await session.runCompaction()) !== null, 'The candidates beyond the limit count');
    same(wordsOf(api.requests[0]?.input), wordsOf(turns(12)), 'All of it is sent');
    same(await history(session), compacted(12), 'All of it is replaced');
    same((await session.getItems()).length, 3, 'Reading has its limit still');
  }),

  compacts('CMP-2', 'a compacted history can be added to and compacted again', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(3));
    await session.runCompaction(FORCED);
    await session.addItems([asks('more'), says('of it')]);
    await session.runCompaction(FORCED);
    same(wordsOf(api.requests[1]?.input), [...compacted(3), 'asks more', 'says of it'], 'All of it is sent');
    same(await history(session), [...compacted(3).slice(0, -1), 'asks more', 'compaction sealed 2'], 'Twice');
  }),

  ...WHO.flatMap(({ by, of }) => [
    compacts(
      'CMP-3',
      `what is appended ${by} while the API is asked follows the compacted items`,
      async (bench) => {
        const { session, api } = await bench.compacting();
        await session.addItems(turns(4));
        const other = await of(bench, session);
        api.meanwhile = async () => {
          await other.addItems([asks('late')]);
          await other.addItems([says('as well'), asks('and more')]);
        };
        await session.runCompaction(FORCED);
        const late = ['asks late', 'says as well', 'asks and more'];
        same(await history(session), [...compacted(4), ...late], 'After the compacted items');
        same(await history(await bench.elsewhere(session)), [...compacted(4), ...late], 'For everybody');
      },
    ),

    ...DROPS.map(({ name, needs, do: act, left }) =>
      compacts(
        'CMP-3',
        `the compaction is dropped after ${name} ${by} while the API is asked`,
        async (bench) => {
          for (const args of [FORCED, { responseId: 'r', ...FORCED }]) {
            const { session, api } = await bench.compacting();
            await session.addItems(START);
            const other = await of(bench, session);
            api.meanwhile = () => act(other);
            await session.runCompaction(args);
            const wanted = left(wordsOf(START));
            same(await history(session), wanted, 'What was done stands, and nothing else is changed');
            same(await history(await bench.elsewhere(session)), wanted, 'For everybody');
            await session.addItems([asks('on')]);
            same(await history(session), [...wanted, 'asks on'], 'The session goes on');
          }
        },
        ...needs,
      ),
    ),
  ]),

  compacts('CMP-3', 'of two compactions at once one holds, and nothing is there twice', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(4));
    const other = bench.compactingOver(await bench.elsewhere(session), api);
    await Promise.all([session.runCompaction(FORCED), other.runCompaction(FORCED)]);
    const left = await history(session);
    const nth = left.at(-1)?.endsWith('2') ? 2 : 1;
    same(left, compacted(4, nth), 'One of the two');
  }),

  compacts('CMP-3', 'what many append while the history is replaced is all there', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(4));
    const others = [session, await bench.elsewhere(session), await bench.elsewhere(session)];
    const added: string[] = [];
    let adding: Promise<unknown> = Promise.resolve();
    api.meanwhile = async () => {
      const end = performance.now() + ADDING_MS;
      [adding = adding] = underWay(
        Promise.all(
          others.map(async (other, who) => {
            for (let at = 0; performance.now() < end; at++) {
              await other.addItems([asks(`${who}.${at}`)]);
              added.push(`asks ${who}.${at}`);
              // A store without a wire would otherwise leave no turn to anybody else.
              await new Promise((resolve) => setImmediate(resolve));
            }
          }),
        ),
      );
    };
    await session.runCompaction(FORCED);
    await adding;
    const left = await history(session);
    same(left.slice(0, 5), compacted(4), 'The compacted items first');
    same(left.slice(5).sort(), added.sort(), 'All that was appended, once');
  }),
];
