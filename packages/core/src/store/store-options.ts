import { resolveSessionLimit, type SessionSettings } from '../settings.ts';
import { invalidArgument } from './invalid-argument.ts';

/** What every adapter takes. */
export interface StoreOptions {
  /** Defaults of the instance, such as a window for `getItems()`. */
  sessionSettings?: SessionSettings | undefined;
  /**
   * How long a session lives after its last write, in seconds. For ever, if left out; an instance without it leaves
   * the expiry that others gave the session as it is (TTL-1).
   */
  ttlSeconds?: number | undefined;
  /** Whether reads move the expiry too. `false` by default. */
  refreshTtlOnRead?: boolean | undefined;
  /**
   * The longest that a call may take, in milliseconds, its place in the queue and all retries included (FLT-2).
   * 10,000 by default.
   */
  timeoutMs?: number | undefined;
}

/** The same, checked, with the defaults in place. */
export interface ResolvedStoreOptions {
  sessionSettings: SessionSettings | undefined;
  ttlMs: number | undefined;
  refreshTtlOnRead: boolean;
  timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** The longest that the platform's timers can wait. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** A century: beyond it stores' own counters run over. */
const LONGEST_TTL_SECONDS = 100 * 366 * 24 * 60 * 60;

/** @throws SessionError `INVALID_ARGUMENT` or `INVALID_LIMIT` */
export function resolveStoreOptions(options: StoreOptions): ResolvedStoreOptions {
  const { sessionSettings, ttlSeconds, refreshTtlOnRead = false, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  resolveSessionLimit(undefined, sessionSettings);
  if (!isBetween(timeoutMs, 1, LONGEST_TIMEOUT_MS)) {
    invalidArgument(`\`timeoutMs\` must be a number of milliseconds from 1 to ${LONGEST_TIMEOUT_MS}`);
  }
  if (ttlSeconds !== undefined && !isBetween(ttlSeconds, 0.001, LONGEST_TTL_SECONDS)) {
    invalidArgument(
      `\`ttlSeconds\` must be a number of seconds from 0.001 to ${LONGEST_TTL_SECONDS}; leave it out for no expiry`,
    );
  }
  if (typeof refreshTtlOnRead !== 'boolean') invalidArgument('`refreshTtlOnRead` must be true or false');
  return {
    sessionSettings: sessionSettings && { ...sessionSettings },
    ttlMs: ttlSeconds === undefined ? undefined : Math.ceil(ttlSeconds * 1000),
    refreshTtlOnRead,
    timeoutMs,
  };
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
