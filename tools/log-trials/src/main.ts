import { explore, seeds, wander } from './explore.ts';
import { Months } from './months.ts';
import { MUTANTS } from './mutants.ts';
import { mutate } from './mutate.ts';
import { randomScenario, SCENARIOS } from './scenarios.ts';
import type { MakeHistory } from './trial.ts';
import { USAGES } from './usages.ts';

/** How many runs a scenario has, before the next one is tried. */
const FEW_RUNS = 200;
const MANY_RUNS = 1_500;
const RANDOM_RUNS = 1_000;
const MONTHS_RUNS = 10;

/** Words that a mutant's name must hold, to try a few only. */
const wanted = process.argv.slice(2);
const chosen = MUTANTS.filter(({ name }) => wanted.every((word) => name.includes(word)));

let killed = 0;
for (const mutant of chosen) {
  const started = performance.now();
  const by = await killerOf(await mutate(MUTANTS.indexOf(mutant), mutant));
  if (by) killed++;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${by ? 'killed  ' : 'SURVIVED'} ${mutant.name} (${seconds} s)${by ? `: ${by}` : ''}`);
}
console.log(`killed ${killed} of ${chosen.length}`);
process.exitCode = killed === chosen.length && killed > 0 ? 0 : 1;

/** Which scenario shows that something is wrong, and what. */
async function killerOf(make: MakeHistory): Promise<string | undefined> {
  for (const runs of [FEW_RUNS, MANY_RUNS]) {
    for (const scenario of SCENARIOS) {
      const { failed } = await explore(scenario, make, runs);
      if (failed) return `${scenario.name}: ${failed.fault?.split('\n', 1)[0]}`;
    }
    if (runs === FEW_RUNS) {
      const found = await wander(randomScenario, make, seeds(RANDOM_RUNS));
      if (found) return `seed ${found.seed}: ${found.failed.fault?.split('\n', 1)[0]}`;
      for (const [name, usage] of USAGES) {
        for (const seed of seeds(MONTHS_RUNS)) {
          const fault = await new Months(usage, make, seed).run();
          if (fault) return `a session over months, ${name}: ${fault.slice(0, 200)}`;
        }
      }
    }
  }
  return undefined;
}
