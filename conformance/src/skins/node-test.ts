import { after, before, describe, it } from 'node:test';
import type { StartedAdapter } from '../adapter.ts';
import { type CaseSelection, selectCases } from '../select-cases.ts';
import type { AdapterSource } from '../start-adapter.ts';
import { assertCase, HOOK_TIMEOUT_MS, startForTests, testNameOf, testTimeoutOf } from './assert-case.ts';

export type { StartedAdapter } from '../adapter.ts';
export type { CaseSelection } from '../select-cases.ts';
export type { AdapterSource } from '../start-adapter.ts';

/**
 * Declares a test of Node.js's own runner for each case. What does not apply to the adapter is skipped with its reason.
 *
 * @param name - the adapter's, for the tests' names
 * @param source - the adapter, which is started before the first test and stopped after the last
 * @param selection - which cases; all by default
 */
export function conformanceTests(name: string, source: AdapterSource, selection: CaseSelection = {}): void {
  describe(`${name} keeps the contract`, () => {
    let started: StartedAdapter;
    before(
      async () => {
        started = await startForTests(source);
      },
      { timeout: HOOK_TIMEOUT_MS },
    );
    after(() => started?.stop(), { timeout: HOOK_TIMEOUT_MS });

    for (const tried of selectCases(selection)) {
      it(testNameOf(tried), { timeout: testTimeoutOf(tried) }, async (context) => {
        const reason = await assertCase(started.adapter, tried);
        if (reason !== undefined) context.skip(reason);
      });
    }
  });
}
