import { SessionError } from './errors.ts';

/** Defaults of one session instance. */
export interface SessionSettings {
  /**
   * How many of the newest items `getItems()` returns when it is called without a limit. All, if left out.
   *
   * A window hides older items from whoever reads: an agent's runner needs the whole history to resume an
   * interrupted run. Shorten what the model is shown with {@link lastTurns} instead.
   */
  limit?: number | undefined;
}

/**
 * How many items a read returns: the explicit limit, else the settings', else all (GET-4 … GET-6).
 *
 * @param limit - the limit that the caller gave, if any
 * @param settings - the session's settings, if any
 * @returns 0 for "none", a positive whole number, or `undefined` for "all"
 * @throws SessionError `INVALID_LIMIT` for `NaN`, a fraction or what is not a number
 */
export function resolveSessionLimit(
  limit: number | undefined,
  settings?: SessionSettings | undefined,
): number | undefined {
  const wanted = limit === undefined ? settings?.limit : limit;
  if (wanted === undefined || wanted === Number.POSITIVE_INFINITY) return undefined;
  if (wanted === Number.NEGATIVE_INFINITY) return 0;
  if (!Number.isInteger(wanted)) throw new SessionError('INVALID_LIMIT');
  // More than any history has, and more than stores can count.
  if (wanted > Number.MAX_SAFE_INTEGER) return undefined;
  return Math.max(0, wanted);
}
