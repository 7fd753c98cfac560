import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import type { ConformanceAdapter } from './adapter.ts';
import { attempt } from './attempt.ts';
import type { ConformanceCase } from './case.ts';
import { codeOfCase } from './case-code.ts';
import { examineAdapter } from './examine-adapter.ts';
import { replayOf } from './replay.ts';
import { isWholeRun, judge } from './report/levels.ts';
import { type CaseResult, type ConformanceReport, gapsOf } from './report/report.ts';
import { shorten } from './report/shorten.ts';
import { type CaseSelection, selectCases } from './select-cases.ts';
import { KIT_PROTOCOL_VERSION, KIT_VERSION } from './version.ts';
import { storeGapOf, whyNot } from './why-not.ts';

export interface ConformanceOptions extends CaseSelection {
  /** The cases to run, in place of those that are selected. */
  readonly cases?: readonly ConformanceCase[] | undefined;
  /** The longest that one case may take, in milliseconds. Each case's own by default, which is 180,000 for most. */
  readonly timeoutMs?: number | undefined;
  /** What a user types to run the kit on this adapter, for `replay`. `npx sessions-conformance ./adapter.mjs` by default. */
  readonly command?: string | undefined;
  /** Told of each case before it runs. */
  readonly onStart?: ((tried: ConformanceCase) => void) | undefined;
  /** Told of each result as it comes. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
}

/**
 * The longest that a case may take, in milliseconds, unless another time is given. Some make a thousand calls one after
 * another, on stores of which some take 50 ms for each.
 */
export const CASE_TIMEOUT_MS = 180_000;

/**
 * Holds an adapter to the contract, case by case, one after another. Never throws for what an adapter does: one that cannot
 * be tried at all gets a report that says so in `problems`, and has no results.
 *
 * @throws Error when the options select no case
 */
export async function runConformance(
  adapter: ConformanceAdapter,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const { seed = randomInt(2 ** 30), timeoutMs, command, onStart, onResult } = options;
  const cases = options.cases ?? selectCases({ ...options, seed });
  const startedAt = new Date();
  const started = performance.now();
  const problems = (await examineAdapter(adapter)).map((line) => shorten(line));
  const results: CaseResult[] = [];
  for (const tried of problems.length > 0 ? [] : cases) {
    onStart?.(tried);
    const result = await runCase(adapter, tried, timeoutMs, command);
    results.push(result);
    onResult?.(result);
  }
  return {
    adapter: textOf(adapter?.name),
    store: textOf(adapter?.store),
    kitVersion: KIT_VERSION,
    protocolVersion: KIT_PROTOCOL_VERSION,
    nodeVersion: process.version,
    startedAt: startedAt.toISOString(),
    ms: Math.round(performance.now() - started),
    seed,
    problems,
    results,
    complete: isWholeRun(results),
    gaps: gapsOf(results),
    levels: judge(results),
  };
}

/**
 * Tries one case on an adapter.
 *
 * @param timeoutMs - the longest that it may take; by default its own, or 180,000 milliseconds
 * @param command - what starts the kit, for `replay`
 */
export async function runCase(
  adapter: ConformanceAdapter,
  tried: ConformanceCase,
  timeoutMs = tried.timeoutMs ?? CASE_TIMEOUT_MS,
  command?: string,
): Promise<CaseResult> {
  const { clause, title } = tried;
  const gap = whyNot(adapter, tried);
  if (gap !== undefined) {
    const isStores = storeGapOf(adapter, tried) !== undefined;
    return { clause, title, status: 'not applicable', reason: shorten(gap), isStores, ms: 0 };
  }
  const started = performance.now();
  const { generated, ...outcome } = await attempt(adapter, tried, timeoutMs);
  const ms = Math.round(performance.now() - started);
  const { status, reason = '', expected = '', actual = '' } = outcome;
  if (status === 'passed') return { clause, title, status, ms };
  return {
    clause,
    title,
    status,
    reason: shorten(reason),
    expected: shorten(expected),
    actual: shorten(actual),
    steps: shorten(generated?.steps ?? codeOfCase(tried)),
    seed: generated?.seed ?? tried.seed,
    path: generated?.path,
    replay: replayOf(tried, generated, command),
    ms,
  };
}

/** What an adapter calls itself, if that is a text. */
function textOf(name: unknown): string {
  return typeof name === 'string' ? shorten(name, 200) : shorten(inspect(name), 200);
}
