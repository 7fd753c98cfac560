import { afterAll, describe, test } from '@jest/globals';
import { type CaseSelection, selectCases } from '../select-cases.ts';
import type { AdapterSource } from '../start-adapter.ts';
import { whyNot } from '../why-not.ts';
import { assertCase, HOOK_TIMEOUT_MS, startForTests, testNameOf, testTimeoutOf } from './assert-case.ts';

export type { StartedAdapter } from '../adapter.ts';
export type { CaseSelection } from '../select-cases.ts';
export type { AdapterSource } from '../start-adapter.ts';

/**
 * Starts the adapter, then declares a Jest test for each case. To be awaited at the top of an ES module: a test of Jest's
 * cannot be skipped once it runs, so that what the adapter lacks has to be known before.
 *
 * @param name - the adapter's, for the tests' names
 * @param source - the adapter, which is stopped after the last test
 * @param selection - which cases; all by default
 * @throws WrongAdapter
 */
export async function conformanceTests(
  name: string,
  source: AdapterSource,
  selection: CaseSelection = {},
): Promise<void> {
  const cases = selectCases(selection);
  const { adapter, stop } = await startForTests(source);
  describe(`${name} keeps the contract`, () => {
    afterAll(stop, HOOK_TIMEOUT_MS);

    for (const tried of cases) {
      const reason = whyNot(adapter, tried);
      if (reason !== undefined) test.skip(`${testNameOf(tried)} (${reason})`, () => undefined);
      else test(testNameOf(tried), async () => void (await assertCase(adapter, tried)), testTimeoutOf(tried));
    }
  });
}
