import { LogHistory } from '@sessions/core/store';
import { expect, test } from 'vitest';
import { seeds } from '../src/explore.ts';
import { Months } from '../src/months.ts';
import type { MakeHistory } from '../src/trial.ts';
import { USAGES } from '../src/usages.ts';

const right: MakeHistory = (log, options) => new LogHistory(log, options);

/** More, with `MONTHS=1000 pnpm test months`. */
const SEEDS = Number(process.env.MONTHS ?? 10);

test.each(USAGES)('a session over months, %s', async (_, usage) => {
  for (const seed of seeds(SEEDS)) {
    const months = new Months(usage, right, seed);
    const fault = await months.run();
    expect(fault && [`seed ${seed}`, ...months.steps.slice(-300), fault].join('\n')).toBeUndefined();
  }
});
