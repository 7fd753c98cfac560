import { afterAll, beforeAll, describe, it } from 'vitest';
import type { StartedAdapter } from '../adapter.ts';
import { type CaseSelection, selectCases } from '../select-cases.ts';
import type { AdapterSource } from '../start-adapter.ts';
import { assertCase, HOOK_TIMEOUT_MS, startForTests, testNameOf, testTimeoutOf } from './assert-case.ts';

export type { StartedAdapter } from '../adapter.ts';
export type { CaseSelection } from '../select-cases.ts';
export type { AdapterSource } from '../start-adapter.ts';

/**
 * Declares a vitest test for each case. What does not apply to the adapter is skipped with its reason in the output.
 *
 * @param name - the adapter's, for the tests' names
 * @param source - the adapter, which is started before the first test and stopped after the last
 * @param selection - which cases; all by default
 */
export function conformanceTests(name: string, source: AdapterSource, selection: CaseSelection = {}): void {
  describe(`${name} keeps the contract`, () => {
    let started: StartedAdapter;
    beforeAll(async () => {
      started = await startForTests(source);
    }, HOOK_TIMEOUT_MS);
    afterAll(() => started?.stop(), HOOK_TIMEOUT_MS);

    for (const tried of selectCases(selection)) {
      it(testNameOf(tried), { timeout: testTimeoutOf(tried) }, async ({ skip }) => {
        const reason = await assertCase(started.adapter, tried);
        if (reason !== undefined) skip(reason);
      });
    }
  });
}
