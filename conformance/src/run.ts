import type { ConformanceAdapter } from './adapter.ts';
import { Bench } from './bench.ts';
import type { ConformanceCase } from './case.ts';
import { CASES } from './cases.ts';
import { ClauseBroken } from './check.ts';
import type { CaseResult, ConformanceReport } from './report.ts';
import { Strays } from './strays.ts';

export interface ConformanceOptions {
  /** The cases to run; all by default. */
  readonly cases?: readonly ConformanceCase[] | undefined;
  /** The longest that one case may take, in milliseconds. 60,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Told of each result as it comes. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
}

/** The longest that a case may take, in milliseconds, unless another time is given. */
export const CASE_TIMEOUT_MS = 60_000;

/** Holds an adapter to the contract, case by case, one after another. Never throws for what an adapter does. */
export async function runConformance(
  adapter: ConformanceAdapter,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const results: CaseResult[] = [];
  for (const tried of options.cases ?? CASES) {
    const result = await runCase(adapter, tried, options.timeoutMs);
    results.push(result);
    options.onResult?.(result);
  }
  return { adapter: adapter.name, store: adapter.store, results };
}

/** Tries one case on an adapter. */
export async function runCase(
  adapter: ConformanceAdapter,
  tried: ConformanceCase,
  timeoutMs = CASE_TIMEOUT_MS,
): Promise<CaseResult> {
  const { clause, title } = tried;
  const reason = whyNot(adapter, tried);
  if (reason !== undefined) return { clause, title, status: 'not applicable', reason, ms: 0 };
  const started = performance.now();
  const outcome = await attempt(adapter, tried, timeoutMs);
  return { clause, title, ...outcome, ms: Math.round(performance.now() - started) };
}

type Outcome = Pick<CaseResult, 'status' | 'reason' | 'expected' | 'actual'>;

async function attempt(
  adapter: ConformanceAdapter,
  tried: ConformanceCase,
  timeoutMs: number,
): Promise<Outcome> {
  using strays = new Strays();
  const bench = new Bench(adapter);
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      const broken = new ClauseBroken(
        'The case did not come to an end',
        `an end within ${timeoutMs} ms`,
        'none',
      );
      timer = setTimeout(reject, timeoutMs, broken);
    });
    await Promise.race([tried.run(bench), late]);
    const [stray] = await strays.reasons();
    if (stray !== undefined)
      throw new ClauseBroken('A promise was rejected that nobody holds', 'none', stray);
    return { status: 'passed' };
  } catch (error) {
    if (error instanceof ClauseBroken) {
      return { status: 'failed', reason: error.message, expected: error.expected, actual: error.actual };
    }
    const actual = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      status: 'failed',
      reason: 'A call failed that should have succeeded',
      expected: 'no error',
      actual,
    };
  } finally {
    clearTimeout(timer);
    await bench[Symbol.asyncDispose]();
    // What a case left behind comes to its end with the sessions and connections it used.
    await strays.reasons();
  }
}

function whyNot(adapter: ConformanceAdapter, { needs, without }: ConformanceCase): string | undefined {
  if (without !== undefined) {
    return adapter.capabilities[without] === true ? 'The adapter has this capability.' : undefined;
  }
  for (const need of needs) {
    if (need === 'lifetimes') {
      if (!adapter.backdoor.lifetimes) return 'The adapter does not show how long its records live.';
      continue;
    }
    const has = need === 'wire' || need === 'processes' ? adapter[need] : adapter.capabilities[need];
    if (has !== true && 'unsupported' in has) return has.unsupported;
  }
  return undefined;
}
