import { inspect } from 'node:util';
import { isSessionError, type SessionError, type SessionErrorCode } from '@sessions/core';
import { inTime } from './in-time.ts';
import { isEqual } from './own-realm.ts';

/** What a case had generated when a clause was seen broken. */
export interface Generated {
  readonly seed: number;
  /** The history, among those of the seed. */
  readonly path?: string | undefined;
  /** What was done, for a reader. */
  readonly steps?: string | undefined;
  /** The code that gives the case which generates the same again. */
  readonly code: string;
}

/** A clause was seen broken: what it wants, and what came instead. */
export class ClauseBroken extends Error {
  readonly expected: string;
  readonly actual: string;
  /** By what the failure can be seen again, if its case was generated. */
  generated?: Generated | undefined;

  constructor(what: string, expected: unknown, actual: unknown) {
    super(what);
    this.expected = show(expected);
    this.actual = show(actual);
  }
}

/** Values are the same data: prototypes, `-0`, `NaN`, bytes and all. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (!isEqual(actual, expected)) throw new ClauseBroken(what, expected, actual);
}

/** A condition holds. */
export function holds(condition: boolean, what: string, actual?: unknown): void {
  if (!condition) throw new ClauseBroken(what, 'that it holds', actual ?? 'it does not');
}

/** What a failed call threw. A call that succeeds breaks the clause. */
export async function failure(call: Promise<unknown> | (() => unknown), what: string): Promise<unknown> {
  let result: unknown;
  try {
    result = await (typeof call === 'function' ? call() : call);
  } catch (error) {
    return error;
  }
  throw new ClauseBroken(what, 'an error', { returned: result });
}

/** A call is refused with one of these codes. */
export async function refused(
  call: Promise<unknown> | (() => unknown),
  codes: SessionErrorCode | readonly SessionErrorCode[],
  what: string,
): Promise<SessionError> {
  const error = await failure(call, what);
  const allowed = typeof codes === 'string' ? [codes] : codes;
  if (isSessionError(error) && allowed.includes(error.code)) return error;
  throw new ClauseBroken(what, `a SessionError ${allowed.join(' or ')}`, error);
}

/** Calls under way, whose failures are looked at one after another. */
export function underWay<T>(...calls: Promise<T>[]): Promise<T>[] {
  for (const call of calls) call.catch(() => undefined);
  return calls;
}

/** Does something again and again while something else is under way. */
export async function meanwhile(work: Promise<unknown>, again: () => Promise<void>): Promise<void> {
  let settled = false;
  const [under] = underWay(
    work.finally(() => {
      settled = true;
    }),
  );
  while (!settled) {
    await again();
    // A store without a wire would otherwise leave no turn to timers.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await under;
}

/** A promise settles within a time, however it ends. */
export async function settlesWithin(ms: number, call: Promise<unknown>, what: string): Promise<void> {
  const started = performance.now();
  const settled = call.then(
    () => undefined,
    () => undefined,
  );
  await inTime(settled, ms, () => {
    const waitedMs = Math.round(performance.now() - started);
    return new ClauseBroken(what, `settled within ${ms} ms`, `pending after ${waitedMs} ms`);
  });
}

function show(value: unknown): string {
  return typeof value === 'string'
    ? value
    : inspect(value, { depth: 8, breakLength: 100, maxArrayLength: 30, maxStringLength: 200 });
}
