import type { StoreCall } from '../store/history-store.ts';

/** One row of a session's log, as a store keeps it. */
export interface LogRow {
  /** Orders the rows of a session, by code units. At most 160 characters out of `0-9`, `a-z`, `.` and `-`. */
  readonly key: string;
  /** How often the row was written anew: 0 at first. {@link FINAL} or more: all content was erased. */
  readonly rev: number;
  /** What the row is, as JSON without item content. */
  readonly head: string;
  /** The item content: records, or pieces of one. Well-formed text, never read by a store. */
  readonly texts: readonly string[];
  /** Milliseconds since 1970, from when on the store may remove the row by itself. Never, if left out. */
  readonly removeAt?: number | undefined;
}

/** The `rev` that an erasure leaves, higher than any that writes lead to: so no write of a row that was erased succeeds. */
export const FINAL = 1_000_000_000;

/** Which rows to read: those from one key to another, both included. `last` may end in `~`, which comes after all that keys have. */
export interface LogRange {
  readonly first: string;
  readonly last: string;
  /** From the last to the first. */
  readonly newestFirst?: boolean | undefined;
  /** How many rows are likely to be taken; more may be. */
  readonly expected: number;
  /** Whether content is needed; if not, a store may give rows with no texts. */
  readonly heads?: boolean | undefined;
}

/** What an erasure leaves of a row: nothing, or a row without content. */
export interface LogErasure {
  readonly key: string;
  readonly leave?: LogRow | undefined;
}

/**
 * All that a store with one conditional write has to do for one session, to be made a {@link HistoryStore} by
 * {@link LogHistory}: a table of rows in the order of their keys.
 *
 * It needs no transactions, no locks and no clock. What decides about a history, operations included, is inserts alone: of
 * a row that must not be there yet. To replace a row on condition of its `rev` only shortens it, moves its expiry, or says
 * what is erased by now.
 *
 * Failures are thrown as in a `HistoryStore`: `UNAVAILABLE` only if nothing was written and nothing will be; anything
 * unknown counts as `OUTCOME_UNKNOWN`, and the write is looked for before it is tried again.
 */
export interface EventLog {
  /**
   * The most that `put` takes in one row: bytes of `head` and `texts` in UTF-8, and one more for each text. At least 20,000,
   * since a `head` says for each part of the largest batch how many records begin there.
   */
  readonly maxRowBytes: number;

  /** Gives rows as they are asked for. Each page is read strongly consistent: what was acknowledged before is seen. */
  scan(range: LogRange, call: StoreCall): AsyncIterable<LogRow>;

  /**
   * Writes one row, atomically, if the row is still what the writer saw: not there for `rev` 0, else there with the `rev`
   * before this one.
   *
   * @returns whether it was written. `false` is certain: what is there is another row, or this one by an earlier try.
   */
  put(row: LogRow, call: StoreCall): Promise<boolean>;

  /**
   * Removes or replaces rows that nobody will ever reach again, whatever they are by now. Need not be atomic; may be done
   * twice, by two at once, in any order.
   */
  erase(rows: readonly LogErasure[], call: StoreCall): Promise<void>;

  /** Ends what the log itself opened, and nothing that it was given (LIFE-1). */
  close?(): Promise<void>;
}
