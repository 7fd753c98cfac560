import { LogHistory } from '@sessions/core/store';
import { expect, test } from 'vitest';
import { explore, seeds, wander } from '../src/explore.ts';
import { randomScenario, SCENARIOS } from '../src/scenarios.ts';
import type { MakeHistory } from '../src/trial.ts';

const right: MakeHistory = (log, options) => new LogHistory(log, options);

/** What has more orders of steps than that is tried in so many of them, evenly; `npm run explore` tries all. */
const RUNS = 1_500;

test.each(SCENARIOS)('$name', async (scenario) => {
  const { failed } = await explore(scenario, right, RUNS);
  expect(failed && [...failed.steps, failed.fault].join('\n')).toBeUndefined();
});

test('of first writers every order is tried', async () => {
  const { isComplete, runs, situations } = await explore(SCENARIOS[0]!, right, RUNS);
  expect(isComplete).toBe(true);
  expect(runs).toBeGreaterThan(500);
  expect(situations).toBeGreaterThan(500);
});

test('2,000 larger scenarios, as they come from a seed', async () => {
  const found = await wander(randomScenario, right, seeds(2_000));
  expect(
    found && [`seed ${found.seed}`, ...found.failed.steps, found.failed.fault].join('\n'),
  ).toBeUndefined();
});
