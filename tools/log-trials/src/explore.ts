import { Random } from '../../../conformance/src/races/random.ts';
import { Clock } from './clock.ts';
import type { Scenario } from './scenario.ts';
import { type MakeHistory, type Run, Trial } from './trial.ts';

/** What was found of a scenario. */
export interface Exploration {
  readonly runs: number;
  /** How many different situations were met in which there was a choice. */
  readonly situations: number;
  /** Whether every order of steps was tried, up to those that lead to a situation met before. */
  readonly isComplete: boolean;
  readonly failed?: Run | undefined;
}

/**
 * Tries every order of the steps of a scenario's clients, with every fault that it allows at every step.
 *
 * Of two orders that lead to the same situation (the same rows, and clients that saw the same) only one is followed
 * further.
 *
 * @param most - how many runs, at most
 */
export async function explore(scenario: Scenario, make: MakeHistory, most: number): Promise<Exploration> {
  const open: (readonly number[])[] = [[]];
  const met = new Set<string>();
  let runs = 0;
  const random = new Random(1);
  while (open.length > 0) {
    // Any of them, so that a part of all tells of the rest.
    const at = random.below(open.length);
    const prefix = open[at]!;
    open[at] = open.at(-1)!;
    open.pop();
    if (runs === most) return { runs, situations: met.size, isComplete: false };
    runs++;
    const taken: number[] = [];
    const run = await runOnce(scenario, make, (options, situation) => {
      const given = prefix[taken.length];
      if (given === undefined) {
        const name = situation();
        if (met.has(name)) return undefined;
        met.add(name);
        for (let other = options - 1; other > 0; other--) open.push([...taken, other]);
      }
      taken.push(given ?? 0);
      return given ?? 0;
    });
    if (run.fault !== undefined) return { runs, situations: met.size, isComplete: false, failed: run };
  }
  return { runs, situations: met.size, isComplete: true };
}

/** Runs a scenario so many times, with steps and faults as they come from a seed. */
export async function wander(
  scenarioOf: (random: Random) => Scenario,
  make: MakeHistory,
  seeds: Iterable<number>,
): Promise<{ readonly seed: number; readonly failed: Run; readonly scenario: Scenario } | undefined> {
  for (const seed of seeds) {
    const random = new Random(seed);
    const scenario = scenarioOf(random);
    const run = await runOnce(scenario, make, (options) => random.below(options));
    if (run.fault !== undefined) return { seed, failed: run, scenario };
  }
  return undefined;
}

async function runOnce(
  scenario: Scenario,
  make: MakeHistory,
  decide: (options: number, situation: () => string) => number | undefined,
) {
  const clock = new Clock();
  using _installed = clock.install();
  // Awaited here, for the clock to stay.
  return await new Trial(scenario, make, clock).run(decide);
}

/** So many seeds, from the first one on. */
export function seeds(count: number, first = 0): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}
