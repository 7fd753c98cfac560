import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ConformanceAdapter } from './adapter.ts';
import { CASES } from './cases.ts';
import { ClauseBroken } from './check.ts';
import { runCase } from './run.ts';

/** An adapter on a running store, and how to end both. */
export interface StartedAdapter {
  readonly adapter: ConformanceAdapter;
  stop(): Promise<void>;
}

/** Declares one vitest test a case. What does not apply to the adapter is skipped with its reason in the output. */
export function conformanceTests(name: string, start: () => Promise<StartedAdapter>): void {
  describe(`${name} keeps the contract`, () => {
    let started: StartedAdapter;
    beforeAll(async () => {
      started = await start();
    });
    afterAll(() => started?.stop());

    for (const tried of CASES) {
      it(`${tried.clause} ${tried.title}`, async (context) => {
        const { status, reason, expected, actual } = await runCase(started.adapter, tried);
        if (status === 'not applicable') context.skip(reason);
        if (status === 'failed') throw new ClauseBroken(reason ?? 'failed', expected, actual);
      });
    }
  });
}
