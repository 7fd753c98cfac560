import { LogHistory } from '@sessions/core/store';
import { explore, seeds, wander } from './explore.ts';
import { randomScenario, SCENARIOS } from './scenarios.ts';
import type { MakeHistory } from './trial.ts';

/** Words that a scenario's name must hold, to try a few only; and a number, to have so many runs of each at most. */
const words = process.argv.slice(2).filter((word) => word !== '--' && !/^\d+$/.test(word));
const most = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? Number.POSITIVE_INFINITY);

const right: MakeHistory = (log, options) => new LogHistory(log, options);

for (const scenario of SCENARIOS.filter(({ name }) => words.every((word) => name.includes(word)))) {
  const started = performance.now();
  const { runs, situations, isComplete, failed } = await explore(scenario, right, most);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const said = `${runs} runs, ${situations} situations, ${isComplete ? 'all' : 'not all'} (${seconds} s)`;
  console.log(`${failed ? 'FAILED' : 'ok    '} ${scenario.name}: ${said}`);
  if (!failed) continue;
  console.log([...failed.steps, failed.fault].join('\n'));
  process.exitCode = 1;
}
if (words.length === 0) {
  const count = Math.min(most, 100_000);
  const found = await wander(randomScenario, right, seeds(count));
  console.log(found ? `FAILED seed ${found.seed}` : `ok     ${count} random ones`);
  if (found) {
    console.log([...found.failed.steps, found.failed.fault].join('\n'));
    process.exitCode = 1;
  }
}
