import fc from 'fast-check';
import type { Bench } from '../bench.ts';
import { ClauseBroken } from '../check.ts';
import { Divergence, play } from './play.ts';
import type { Step } from './step.ts';
import { TwoInstances } from './two-instances.ts';

/** Which histories to look at. */
export interface Search {
  readonly arbitrary: fc.Arbitrary<Step[]>;
  readonly runs: number;
  readonly seed: number;
  /** Where to begin, in the words of fast-check: a history, or one that it was shrunk to. */
  readonly path: string;
  /** How long to look, in milliseconds: on a slow store not all histories are through by then. */
  readonly searchMs: number;
}

/** A history that an adapter and the model are not of one mind about. */
export interface Found {
  readonly divergence: Divergence;
  readonly path: string;
  /** Whether the divergence was seen again when the same history was played again. */
  readonly again: boolean;
}

/** How long a history that was found may be made shorter. */
const SHRINK_MS = 12_000;

/** Plays histories until one fails, and makes that one as short as the time allows. */
export async function search(bench: Bench, wanted: Search): Promise<Found | undefined> {
  const { arbitrary, runs, seed, path, searchMs } = wanted;
  const instances = new TwoInstances(bench);
  // In two parts, for the time to shrink counts from when there is something to be shrunk.
  const first = await explore(instances, arbitrary, {
    seed,
    path,
    numRuns: runs,
    endOnFailure: true,
    interruptAfterTimeLimit: searchMs,
  });
  if (first === 'nothing played')
    throw new ClauseBroken('No generated history came to its end', `one within ${searchMs} ms`, 'none');
  if (first === 'nothing found') return undefined;
  const shortest = await explore(instances, arbitrary, {
    seed,
    path: first.path,
    numRuns: 1,
    interruptAfterTimeLimit: SHRINK_MS,
  });
  return typeof shortest === 'object' ? { ...shortest, again: true } : { ...first, again: false };
}

async function explore(
  instances: TwoInstances,
  arbitrary: fc.Arbitrary<Step[]>,
  parameters: fc.Parameters<[Step[]]>,
): Promise<Omit<Found, 'again'> | 'nothing found' | 'nothing played'> {
  const stop = new AbortController();
  let playing = Promise.resolve();
  const property = fc.asyncProperty(arbitrary, (steps) => {
    playing = play(steps, instances, stop.signal);
    return playing;
  });
  const { failed, errorInstance, counterexamplePath } = await fc.check(property, parameters);
  // When the time is up there is one under way still.
  stop.abort();
  await playing.catch(() => undefined);
  if (!failed) return 'nothing found';
  if (counterexamplePath === null) return 'nothing played';
  if (errorInstance instanceof Divergence) return { divergence: errorInstance, path: counterexamplePath };
  throw errorInstance;
}
