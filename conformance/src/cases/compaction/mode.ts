import { type ConformanceCase, promise } from '../../case.ts';
import { failure, holds, same } from '../../check.ts';
import { compacts, FORCED, history, sourceOf } from './compacting.ts';
import { asks, calls, gives, says, turns, wordsOf } from './compaction-items.ts';

/** What is given to the API, and when (CMP-1). */
export const modeCases: ConformanceCase[] = [
  {
    ...promise('CMP-1', 'a session that does not compact has no method for it', async (bench) => {
      const session = await bench.session();
      same('runCompaction' in session, false, 'runCompaction is absent');
    }),
    without: 'compaction',
  },

  ...(
    [
      ['auto, without an id', {}, 'input of 4'],
      ['auto, with an id', { responseId: 'r' }, 'the chain of r'],
      ['auto, with an id that the API does not keep', { responseId: 'r', store: false }, 'input of 4'],
      ['auto, with an id that it keeps', { responseId: 'r', store: true }, 'the chain of r'],
      ['input, with an id', { responseId: 'r', compactionMode: 'input' }, 'input of 4'],
      [
        'previous_response_id, asked for though it is said not to be kept',
        { responseId: 'r', store: false, compactionMode: 'previous_response_id' },
        'the chain of r',
      ],
    ] as const
  ).map(([name, args, source]) =>
    compacts('CMP-1', `the history is given as the mode says: ${name}`, async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(2));
      await session.runCompaction({ ...args, ...FORCED });
      same(sourceOf(api), source, name);
    }),
  ),

  compacts(
    'CMP-1',
    'the mode of a call wins over that of the wrapper, which wins over auto',
    async (bench) => {
      for (const [args, source] of [
        [{}, 'input of 4'],
        [{ compactionMode: 'auto' }, 'the chain of r'],
        [{ compactionMode: 'previous_response_id' }, 'the chain of r'],
      ] as const) {
        const { session, api } = await bench.compacting({ compactionMode: 'input' });
        await session.addItems(turns(2));
        await session.runCompaction({ responseId: 'r', ...args, ...FORCED });
        same(sourceOf(api), source, `input of the wrapper's, ${JSON.stringify(args)} of the call's`);
      }
    },
  ),

  compacts('CMP-1', 'that responses are not kept is remembered until it is said otherwise', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(2));
    same(await session.runCompaction({ responseId: 'r1', store: false }), null, 'Not due');
    await session.runCompaction({ responseId: 'r2', ...FORCED });
    same(sourceOf(api), 'input of 4', 'Not said again');
    await session.addItems(turns(2));
    await session.runCompaction({ responseId: 'r3', store: true, ...FORCED });
    same(api.requests[1]?.previous_response_id, 'r3', 'Said otherwise');
  }),

  compacts('CMP-1', 'an id is remembered, and stands for what was there when it was given', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(2));
    same(await session.runCompaction({ responseId: 'r' }), null, 'Not due');
    await session.addItems([asks('since')]);
    await session.runCompaction(FORCED);
    same(sourceOf(api), 'the chain of r', 'Of the last response');
    const left = await history(session);
    same(
      left.slice(-2),
      ['compaction sealed 1', 'asks since'],
      'What its chain does not hold is still there',
    );
  }),

  compacts('CMP-1', 'there is no going by an id that nobody gave', async (bench) => {
    const { session, api } = await bench.compacting({ compactionMode: 'previous_response_id' });
    await session.addItems(turns(10));
    await failure(session.runCompaction(FORCED), 'There is no id');
    same(api.requests.length, 0, 'No request is made');
    same(await history(session), wordsOf(turns(10)), 'Unchanged');
  }),

  compacts(
    'CMP-1',
    'ten candidates are enough and nine are not, questions and compactions left out',
    async (bench) => {
      const { session, api } = await bench.compacting();
      const others = Array.from({ length: 10 }, (_, at) => asks(`alone ${at}`));
      await session.addItems([{ type: 'compaction', encrypted_content: 'old' }, ...others, ...turns(9)]);
      same(await session.runCompaction(), null, 'Nine');
      same(api.requests.length, 0, 'No request is made');
      await session.addItems([says('the tenth')]);
      holds((await session.runCompaction()) !== null, 'Ten');
      same(api.requests.length, 1, 'One request is made');
    },
  ),

  compacts('CMP-1', 'the application may decide from the candidates, unless it is forced', async (bench) => {
    const asked: string[][] = [];
    let isDue = false;
    const { session, api } = await bench.compacting({
      shouldTriggerCompaction(candidates) {
        asked.push(wordsOf(candidates));
        return isDue;
      },
    });
    await session.addItems(turns(12));
    same(await session.runCompaction(), null, 'Decided against');
    await session.runCompaction(FORCED);
    same([asked.length, api.requests.length], [1, 1], 'Forced, it is not asked');
    isDue = true;
    await session.addItems([calls('x'), gives('x')]);
    holds((await session.runCompaction()) !== null, 'Decided for it');
    same(
      asked[0],
      wordsOf(turns(12)).filter((word) => word.startsWith('says')),
      'The candidates',
    );
    same(asked[1], ['calls x', 'gives x'], 'The candidates after a compaction');
  }),
];
