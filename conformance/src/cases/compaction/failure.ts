import { USAGE } from '../../apis/compaction-api.ts';
import type { ConformanceCase } from '../../case.ts';
import { failure, holds, meanwhile, same, settlesWithin, underWay } from '../../check.ts';
import { withEitherDriver } from '../either-driver.ts';
import { compacted, compacts, FORCED, history } from './compacting.ts';
import { asks, turns, wordsOf } from './compaction-items.ts';

/** More replies than any store waits for when a history is replaced. */
const MOST_REPLIES = 4;

/** The longest that a call of the store may take where that is to be seen, in milliseconds, and enough for it. */
const SHORT_MS = 400;
const BOUND_MS = 5_000;

/** The old history or the new one, whatever fails (CMP-4). */
export const failureCases: ConformanceCase[] = [
  ...(
    [
      ['an error', { status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } }, true],
      ['an error of the server', { status: 500, body: { error: { message: 'no' } } }, true],
      ['a lost connection', 'cut', true],
      ['no items', { status: 200, body: { id: 'r', output: [], usage: USAGE } }, false],
      ['no output', { status: 200, body: { id: 'r', usage: USAGE } }, false],
      ['nothing but null', { status: 200, body: { id: 'r', output: [null], usage: USAGE } }, false],
    ] as const
  ).map(([name, answer, rejects]) =>
    compacts('CMP-4', `the history stays when the API gives ${name}`, async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(4));
      api.answer = () => answer;
      const compacting = session.runCompaction({ responseId: 'r', ...FORCED });
      if (rejects) await failure(compacting, name);
      else await compacting.catch(() => undefined);
      same(await history(session), wordsOf(turns(4)), 'Unchanged');
      api.answer = () => undefined;
      await session.runCompaction({ compactionMode: 'input', ...FORCED });
      const [last = ''] = (await history(session)).slice(-1);
      holds(last.startsWith('compaction'), 'The next one goes well', last);
    }),
  ),

  compacts('CMP-4', 'whoever reads meanwhile sees the old history or the new one', async (bench) => {
    const { session, api } = await bench.compacting();
    const reader = await bench.elsewhere(session);
    await session.addItems(turns(30));
    const [old, now] = [wordsOf(turns(30)), compacted(30)].map((words) => words.join('\n'));
    api.meanwhile = async () => undefined;
    await meanwhile(session.runCompaction(FORCED), async () => {
      const seen = (await history(reader)).join('\n');
      holds(seen === old || seen === now, 'One of the two', seen);
    });
    same((await history(reader)).join('\n'), now, 'The new one at last');
  }),

  compacts('CMP-4', 'given up before it starts, it does nothing', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(4));
    const reason = new Error('before');
    const signal = AbortSignal.abort(reason);
    same(await failure(session.runCompaction(FORCED, { signal }), 'It is given up'), reason, 'The reason');
    same(api.requests.length, 0, 'No request is made');
    same(await history(session), wordsOf(turns(4)), 'Unchanged');
  }),

  compacts('CMP-4', 'given up while the API is asked, it leaves the old history', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(4));
    const abort = new AbortController();
    const reason = new Error('meanwhile');
    api.answer = () => 'hang';
    api.meanwhile = async () => abort.abort(reason);
    const given = session.runCompaction(FORCED, { signal: abort.signal });
    same(await failure(given, 'It is given up'), reason, 'The reason');
    same(await history(session), wordsOf(turns(4)), 'Unchanged');
    api.answer = () => undefined;
    api.meanwhile = async () => undefined;
    await session.runCompaction(FORCED);
    same(await history(session), compacted(4, 2), 'The next one goes well');
  }),

  compacts('CMP-4', 'given up at any moment, it leaves the old history or the new one', async (bench) => {
    for (let turn = 0; turn < 12; turn++) {
      const { session } = await bench.compacting();
      await session.addItems(turns(4));
      const abort = new AbortController();
      const [compacting] = underWay(session.runCompaction(FORCED, { signal: abort.signal }));
      for (let wait = 0; wait < turn * 2; wait++) await new Promise((resolve) => setImmediate(resolve));
      abort.abort();
      await compacting?.catch(() => undefined);
      const left = (await history(session)).join('\n');
      const isOneOf = [wordsOf(turns(4)), compacted(4)].some((words) => words.join('\n') === left);
      holds(isOneOf, 'One of the two', left);
    }
  }),

  ...withEitherDriver(
    compacts(
      'CMP-4',
      'a reply of the store that is lost while the history is replaced is found again',
      async (bench) => {
        for (let before = 0; before < MOST_REPLIES; before++) {
          const { proxy, connection } = await bench.proxied();
          const { session, api } = await bench.compacting({}, {}, connection);
          await session.addItems(turns(4));
          api.meanwhile = async () => void proxy.loseNextReply(before);
          holds((await session.runCompaction(FORCED)) !== null, 'It succeeds');
          same(await history(await bench.elsewhere(session)), compacted(4), 'Replaced once');
          proxy.pass();
          await session.addItems([asks('on')]);
          same(await history(session), [...compacted(4), 'asks on'], 'The session goes on');
        }
      },
      'wire',
    ),
  ),

  compacts(
    'CMP-4',
    'a store that vanishes while the history is replaced keeps the old one or the new one',
    async (bench) => {
      for (let before = 0; before < MOST_REPLIES; before++) {
        const { proxy, connection } = await bench.proxied();
        const { session, api } = await bench.compacting({}, { timeoutMs: SHORT_MS }, connection);
        await session.addItems(turns(4));
        let lost: Promise<void> | undefined;
        api.meanwhile = async () => {
          if (before === 0) proxy.refuse();
          else lost = proxy.loseNextReply(before - 1);
        };
        const [compacting] = underWay(session.runCompaction(FORCED));
        while (!lost && api.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
        // A store that needs fewer replies is done before.
        await Promise.race([lost, compacting?.catch(() => undefined)]);
        proxy.refuse();
        await settlesWithin(BOUND_MS, compacting!, 'The compaction');
        const outcome = await compacting!.then(
          () => 'done',
          () => 'failed',
        );
        const left = (await history(await bench.elsewhere(session))).join('\n');
        const [old, now] = [wordsOf(turns(4)), compacted(4)].map((words) => words.join('\n'));
        holds(left === now || (left === old && outcome === 'failed'), `${outcome}: one of the two`, left);
      }
    },
    'wire',
  ),
];
