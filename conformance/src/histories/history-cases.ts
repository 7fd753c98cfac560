import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import type { Bench } from '../bench.ts';
import { type ConformanceCase, type Need, promise } from '../case.ts';
import { ClauseBroken } from '../check.ts';
import type { Clause } from '../clauses.ts';
import { arbitraryHistory, type Weights } from './arbitrary-history.ts';
import { type Found, search } from './search.ts';

/** Which generated histories to try an adapter on. */
export interface HistoryOptions {
  /** How many histories each case tries. 100 by default, 3,000 in a soak. */
  readonly runs?: number | undefined;
  /** The most steps that a history has. 60 by default, 120 in a soak. */
  readonly steps?: number | undefined;
  /** The same seed gives the same histories. Another one each time by default. */
  readonly seed?: number | undefined;
  /** With the seed: one history, as a failure names it. Then there is its case only. */
  readonly path?: string | undefined;
  /** Many more and longer histories, and more time for them. */
  readonly soak?: boolean | undefined;
}

/** How many histories, of how many steps at most, and for how many milliseconds: those that are through by then must do. */
const USUAL = { runs: 100, steps: 60, searchMs: 30_000 };
const SOAK = { runs: 3_000, steps: 120, searchMs: 600_000 };

/** For all that comes after the search. */
const MORE_MS = 30_000;

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

function historyCase(
  { clause, title, weights, needs }: Kind,
  options: HistoryOptions,
  path: string,
): ConformanceCase {
  const { soak = false, seed = randomInt(2 ** 30) } = options;
  const { searchMs, ...usual } = soak ? SOAK : USUAL;
  const { runs = usual.runs, steps = usual.steps } = options;
  const run = async (bench: Bench) => {
    const arbitrary = arbitraryHistory(weights, bench.adapter.capabilities, steps);
    const found = await search(bench, { arbitrary, runs, seed, path, searchMs });
    if (!found) return;
    const { expected, actual } = found.divergence;
    const broken = new ClauseBroken(
      'The last call of a generated history does not come to what the model says',
      expected,
      actual,
    );
    const replay = { seed, path: `${clause}:${found.path}`, steps };
    broken.generated = { ...replay, steps: stepsOf(found), code: `historyCases(${inspect(replay)})` };
    throw broken;
  };
  const timeoutMs = searchMs + MORE_MS;
  // With steps of somebody's own, the seed means nothing to the command line.
  const chosen = options.steps === undefined ? { seed, soak } : {};
  return { ...promise(clause, title, run, ...needs), timeoutMs, ...chosen };
}

function stepsOf({ divergence, again }: Found): string {
  return [
    '// `a` and `b` are two instances of one new session, on a connection each.',
    '// Arguments and results are changed by the caller after use.',
    ...divergence.lines,
    ...(again ? [] : ['// It was not seen again in the time there is to make it shorter.']),
  ].join('\n');
}
