import type { ConformanceAdapter, StartedAdapter } from '../adapter.ts';
import type { ConformanceCase } from '../case.ts';
import { examineAdapter } from '../examine-adapter.ts';
import { formatFailure } from '../report/format-text.ts';
import { CASE_TIMEOUT_MS, runCase } from '../run.ts';
import { type AdapterSource, START_TIMEOUT_MS, startAdapter, WrongAdapter } from '../start-adapter.ts';

/** So that the kit, which knows more about it, is the first to say that a case does not end. */
const MORE_MS = 15_000;

/** What a runner is to allow a case, in milliseconds. */
export function testTimeoutOf({ timeoutMs = CASE_TIMEOUT_MS }: ConformanceCase): number {
  return timeoutMs + MORE_MS;
}

/** What a runner is to allow an adapter to start or stop, in milliseconds. */
export const HOOK_TIMEOUT_MS = START_TIMEOUT_MS + MORE_MS;

/**
 * Starts an adapter, and looks whether it can be tried at all: else every case would wait for what never comes.
 *
 * @throws WrongAdapter
 */
export async function startForTests(source: AdapterSource): Promise<StartedAdapter> {
  const started = await startAdapter(source);
  const problems = await examineAdapter(started.adapter);
  if (problems.length === 0) return started;
  await started.stop();
  throw new WrongAdapter(problems.join('\n'));
}

/** The name of a case's test. */
export function testNameOf({ clause, title }: ConformanceCase): string {
  return `${clause} ${title}`;
}

/**
 * Tries one case, as a test.
 *
 * @returns why the case does not apply to the adapter, if so
 * @throws Error that says all there is to say: each runner shows the message of an error, and not all of them more
 */
export async function assertCase(
  adapter: ConformanceAdapter,
  tried: ConformanceCase,
): Promise<string | undefined> {
  const result = await runCase(adapter, tried);
  if (result.status === 'not applicable') return result.reason;
  if (result.status === 'passed') return undefined;
  const broken = new Error(formatFailure(result));
  // Where in the kit it was thrown is of no use to anyone, and hides what is.
  broken.stack = `${broken.name}: ${broken.message}`;
  throw broken;
}
