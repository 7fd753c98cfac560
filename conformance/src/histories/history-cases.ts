import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import { type ConformanceCase, type Need, promise } from '../case.ts';
import { ClauseBroken } from '../check.ts';
import type { Clause } from '../clauses.ts';
import { arbitraryHistory, type Weights } from './arbitrary-history.ts';
import { type Found, search } from './search.ts';

/** Which generated histories to try an adapter on. */
export interface HistoryOptions {
  /** How many histories each case tries. 100 by default. */
  readonly runs?: number | undefined;
  /** The most steps that a history has. 60 by default. */
  readonly steps?: number | undefined;
  /** The same seed gives the same histories. Another one for each run by default. */
  readonly seed?: number | undefined;
  /** With the seed: one history, as a failure names it. Then there is its case only. */
  readonly path?: string | undefined;
}

const DEFAULT_RUNS = 100;
const DEFAULT_STEPS = 60;

const PLAIN: Weights = {
  basic: 40,
  transactions: 0,
  rewrites: 0,
  replacement: 0,
  aborted: 2,
  readAll: 8,
  newInstance: 2,
  reopen: 1,
  notAwaited: 0,
};

interface Kind {
  readonly clause: Clause;
  readonly title: string;
  readonly weights: Weights;
  readonly needs: readonly Need[];
}

const KINDS: readonly Kind[] = [
  {
    clause: 'GET-2',
    title: 'generated histories of adds, reads, pops and clears are what a model says',
    weights: PLAIN,
    needs: [],
  },
  {
    clause: 'ORD-4',
    title: 'generated histories of all calls, some of them not awaited, are what a model says',
    weights: { ...PLAIN, transactions: 10, rewrites: 6, replacement: 2, notAwaited: 50 },
    needs: [],
  },
  {
    clause: 'TXN-2',
    title: 'generated histories of transactions among all other calls are what a model says',
    weights: { ...PLAIN, basic: 24, transactions: 40, rewrites: 2, replacement: 2, notAwaited: 10 },
    needs: ['transactions'],
  },
];

/** Cases that play generated histories on an adapter and on a model, and compare each result. */
export function historyCases(options: HistoryOptions = {}): ConformanceCase[] {
  const { path } = options;
  if (path === undefined) return KINDS.map((kind) => historyCase(kind, options, ''));
  // A path begins with the clause of its case, since another case makes other histories of the same seed.
  const kind = KINDS.find(({ clause }) => path.startsWith(`${clause}:`));
  if (!kind)
    throw new Error(`No history has the path ${JSON.stringify(path)}; take it from a failure as it is.`);
  return [historyCase(kind, options, path.slice(kind.clause.length + 1))];
}

function historyCase({ clause, title, weights, needs }: Kind, options: HistoryOptions, path: string) {
  const { runs = DEFAULT_RUNS, steps = DEFAULT_STEPS } = options;
  return promise(
    clause,
    title,
    async (bench) => {
      const seed = options.seed ?? randomInt(2 ** 31);
      const arbitrary = arbitraryHistory(weights, bench.adapter.capabilities, steps);
      const found = await search(bench, { arbitrary, runs, seed, path });
      if (!found) return;
      const replay = { seed, path: `${clause}:${found.path}`, ...(options.steps !== undefined && { steps }) };
      throw new ClauseBroken(report(found, replay), found.divergence.expected, found.divergence.actual);
    },
    ...needs,
  );
}

function report({ divergence, again }: Found, replay: HistoryOptions): string {
  const lines = divergence.lines.map((line, at) => `${String(at + 1).padStart(4)}  ${line}`);
  return [
    'The last call of this history does not come to what the model says. `a` and `b` are two instances of one',
    'new session, on a connection each; arguments and results are changed by the caller after use.',
    ...lines,
    ...(again ? [] : ['It was not seen again in the time there is to make it shorter.']),
    `To play it again: historyCases(${inspect(replay, { breakLength: Number.POSITIVE_INFINITY })})`,
  ].join('\n');
}
