import { afterAll, beforeAll, describe, it } from 'vitest';
import type { StartedAdapter } from './adapter.ts';
import { CASES } from './cases.ts';
import { ClauseBroken } from './check.ts';
import { CASE_TIMEOUT_MS, runCase } from './run.ts';

export type { StartedAdapter } from './adapter.ts';

/** So that the kit, which knows more about it, is the first to say that a case does not end. */
const TEST_TIMEOUT_MS = CASE_TIMEOUT_MS + 15_000;

/** Declares one vitest test a case. What does not apply to the adapter is skipped with its reason in the output. */
export function conformanceTests(name: string, start: () => Promise<StartedAdapter>): void {
  describe(`${name} keeps the contract`, () => {
    let started: StartedAdapter;
    beforeAll(async () => {
      started = await start();
    }, TEST_TIMEOUT_MS);
    afterAll(() => started?.stop(), TEST_TIMEOUT_MS);

    for (const tried of CASES) {
      it(`${tried.clause} ${tried.title}`, { timeout: TEST_TIMEOUT_MS }, async (context) => {
        const { status, reason, expected, actual } = await runCase(started.adapter, tried);
        if (status === 'not applicable') context.skip(reason);
        if (status === 'failed') throw new ClauseBroken(reason ?? 'failed', expected, actual);
      });
    }
  });
}
