/**
 * Names one state of one history. Never used twice, not even after a clear removed everything and the session was
 * filled again; only empty histories, which are all alike, may share one. Not empty; compared for equality
 * only.
 */
export type Version = string;

/** A version that no history ever has: a change for it is always refused, after the ids were looked at. */
export const NO_VERSION: Version = '';

/** One change of a history: drop the newest records, then append others. The only kind of write there is. */
export interface HistoryChange<TRecord = string> {
  /** Fresh for each call of a session's method; the same whenever that one change is tried again. */
  readonly id: string;
  /** How many of the newest records go first, or all. A number above 1 comes with `ifVersion` only. */
  readonly drop: number | 'all';
  /** What is appended then, oldest first. */
  readonly add: readonly TRecord[];
  /** The change holds for this version only; for any other it is refused with `CONFLICT`. */
  readonly ifVersion?: Version | undefined;
  /** Remembered together with the change until the history is cleared; a change may be nothing but that. */
  readonly operation?: { readonly id: string; readonly digest: string } | undefined;
  /** Set by a clear, the one change that forgets the operations. */
  readonly clear?: true | undefined;
}

/** What a call of a store is told beside its arguments. */
export interface StoreCall {
  /**
   * Fires when the call's time is up. A store that has sent nothing yet must send nothing any more, and rejects
   * with `UNAVAILABLE`; one that has may go on waiting, nobody listens.
   */
  readonly signal: AbortSignal;
}

/** Which part of a history is read. */
export interface HistoryQuery {
  /** How many of the newest records; all, if undefined. At least 1. */
  readonly limit: number | undefined;
  /** Whether the version is needed. A store that gets it for nothing may always give it. */
  readonly versioned: boolean;
}

/** Whole records, oldest first, and the version they belong to, if it was asked for. */
export interface HistoryRead<TRecord = string> {
  readonly records: TRecord[];
  readonly version?: Version | undefined;
}

/** A committed change. */
export interface HistoryCommit<TRecord = string> {
  /** For a pop, which alone does not know it, the record that was dropped, if there was one. */
  readonly popped?: TRecord | undefined;
}

/**
 * All that an adapter writes: a list of records that changes atomically. {@link StoredSession} makes a full session
 * of it. Arguments arrive checked, records encoded and within their limits, one call at a time for each instance.
 *
 * Failures: throw a `SessionError` with the code that says what is known. `UNAVAILABLE`: nothing was applied and
 * nothing will be. `OUTCOME_UNKNOWN`: it may have been, or may still be. Both are tried again until the call's time
 * is up, the same change under the same id. `ACCESS_DENIED`, `INCOMPATIBLE_STORE`: waiting will not mend it.
 * Anything else that a store throws counts as `UNAVAILABLE` for a read and as `OUTCOME_UNKNOWN` for a commit.
 */
export interface HistoryStore<TRecord = string> {
  /**
   * The newest records in one strongly consistent view (GET-2, GET-9). Creates nothing (GET-1). Its cost does not
   * grow with the history (GET-8).
   */
  read(query: HistoryQuery, call: StoreCall): Promise<HistoryRead<TRecord>>;

  /**
   * Applies one change atomically (ADD-3), exactly once for each `change.id`, however often it is tried (FLT-1). It
   * looks at these in turn and stops at the first that answers:
   *
   * 1. `change.id`, known already: returns what the first try returned.
   * 2. `change.operation.id`, known already: returns if the digest is the same, else throws `OPERATION_CONFLICT`.
   * 3. `change.ifVersion`, not the present version: throws `CONFLICT`.
   * 4. for a pop, a newest record that must not be dropped unread, as a text that begins with `HELD_MARK`: throws
   *    `UNREADABLE_ITEM` (POP-4).
   *
   * A change that finds nothing to do, as a pop of an empty history, changes nothing: no version, and no expiry (TTL-1).
   *
   * Dropped content is erased, not hidden (CLR-3). What an append or a pop costs does not grow with the history (ADD-7).
   */
  commit(change: HistoryChange<TRecord>, call: StoreCall): Promise<HistoryCommit<TRecord>>;

  /** Ends what the store itself opened, and nothing that it was given (LIFE-1). */
  close?(): Promise<void>;
}

/** Whether a change is a pop: it drops the newest record without having read it. */
export function isPop(change: Pick<HistoryChange, 'drop' | 'ifVersion'>): boolean {
  return change.drop === 1 && change.ifVersion === undefined;
}
