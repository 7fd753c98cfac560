import { inspect } from 'node:util';
import type { ConformanceAdapter } from './adapter.ts';
import { AdapterFailure } from './adapter-failure.ts';
import { Bench } from './bench.ts';
import { isKitError } from './blame.ts';
import type { ConformanceCase } from './case.ts';
import { ClauseBroken, type Generated } from './check.ts';
import { inTime } from './in-time.ts';
import type { CaseResult } from './report/report.ts';
import { Strays } from './strays.ts';

/** How a case ended that was tried. */
export type Attempt = Pick<CaseResult, 'status' | 'reason' | 'expected' | 'actual'> & {
  /** What a case that failed had generated. */
  readonly generated?: Generated | undefined;
};

/** Tries a case on an adapter. Never throws. */
export async function attempt(
  adapter: ConformanceAdapter,
  tried: ConformanceCase,
  timeoutMs: number,
): Promise<Attempt> {
  using strays = new Strays();
  const bench = new Bench(adapter);
  try {
    await inTime(tried.run(bench), timeoutMs, () => {
      return new ClauseBroken('The case did not come to an end', `an end within ${timeoutMs} ms`, 'none');
    });
    const [stray] = await strays.reasons();
    if (stray !== undefined)
      throw new ClauseBroken(
        'An error came up that nobody holds: of a promise, an event or a timer',
        'none',
        stray,
      );
    return { status: 'passed' };
  } catch (error) {
    return failureOf(error);
  } finally {
    await bench[Symbol.asyncDispose]();
    // What a case left behind comes to its end with the sessions and connections it used.
    await strays.reasons();
  }
}

function failureOf(error: unknown): Attempt {
  if (error instanceof ClauseBroken) {
    const { message, expected, actual, generated } = error;
    return { status: 'failed', reason: message, expected, actual, generated };
  }
  if (error instanceof AdapterFailure) {
    return { status: 'failed', reason: error.message, expected: 'no error', actual: error.thrown };
  }
  // With its code and its cause.
  const actual = inspect(error, { depth: 4 });
  if (isKitError(error)) {
    return { status: 'kit error', reason: 'The kit itself failed; it says nothing of the adapter', actual };
  }
  const reason =
    error instanceof TypeError
      ? 'Something threw a TypeError: a call, or the case over what a call returned'
      : 'A call failed that should have succeeded';
  return { status: 'failed', reason, expected: 'no error', actual };
}
