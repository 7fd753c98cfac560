import type { SessionSettings } from './settings.ts';

/** What every call of a session takes last. */
export interface SessionCallOptions {
  /**
   * Gives the call up. If it fired before the call starts, nothing happens at all; a write under way is
   * waited for and then the call rejects with the signal's reason, even if the write failed (LIFE-4).
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A conversation's stored history: a list of items, oldest first.
 *
 * A `Session<AgentInputItem>` is assignable to the `Session` of the official Agents SDK. The same protocol as
 * `Session` of the Python SDK, with JavaScript's names.
 *
 * @typeParam TItem - what the history holds, such as the Agents SDK's `AgentInputItem`
 */
export interface Session<TItem = unknown> {
  /** The id that the session was built with (ID-1). */
  readonly sessionId: string;

  /** Defaults of this instance: `limit` is what {@link getItems} uses when it is called without one (GET-6). */
  sessionSettings?: SessionSettings | undefined;

  /**
   * The session's id (ID-2). Makes no call to the store.
   *
   * @throws SessionError `CLOSED`
   */
  getSessionId(): Promise<string>;

  /**
   * Reads the newest items, oldest first (GET-1 … GET-9).
   *
   * Concurrent callers see whole batches only, in one order that all agree on (ORD-1).
   *
   * @param limit - how many at the most; all if left out or `Infinity`, none and no call to the store at 0 or
   *   below. Wins over `sessionSettings.limit`. Damaged records are not counted (GET-7).
   * @returns copies: changing them changes nothing stored (ISO-1). `[]` for a session never written to.
   * @throws SessionError `INVALID_LIMIT`, `UNREADABLE_ITEM`, `UNAVAILABLE`, `ACCESS_DENIED`,
   *   `INCOMPATIBLE_STORE`, `CLOSED`
   */
  getItems(limit?: number, options?: SessionCallOptions): Promise<TItem[]>;

  /**
   * Appends a batch: all of it or nothing, in order, with nobody else's items in between (ADD-1 … ADD-8).
   *
   * Applied exactly once, though a reply is lost and the driver sends it again (FLT-1).
   *
   * @param items - plain data, copied before the method first yields (ADD-4). `[]` makes no call to the store.
   * @throws SessionError `INVALID_ITEM` with `index` and `path`, `ITEM_TOO_LARGE`, `INVALID_ARGUMENT`, `UNAVAILABLE`,
   *   `OUTCOME_UNKNOWN`, `ACCESS_DENIED`, `INCOMPATIBLE_STORE`, `CLOSED`
   */
  addItems(items: TItem[], options?: SessionCallOptions): Promise<void>;

  /**
   * Removes the newest item and returns it; `undefined` on an empty session (POP-1 … POP-4).
   *
   * Of n concurrent pops each gets a different item.
   *
   * @throws SessionError `UNREADABLE_ITEM` (nothing is deleted), `UNAVAILABLE`, `OUTCOME_UNKNOWN`, `ACCESS_DENIED`,
   *   `INCOMPATIBLE_STORE`, `CLOSED`
   */
  popItem(options?: SessionCallOptions): Promise<TItem | undefined>;

  /**
   * Removes everything, for good; the session can be used again at once (CLR-1 … CLR-4).
   *
   * A concurrent append is wholly before (and gone) or wholly after (and kept).
   *
   * @throws SessionError `UNAVAILABLE`, `OUTCOME_UNKNOWN`, `ACCESS_DENIED`, `INCOMPATIBLE_STORE`, `CLOSED`
   */
  clearSession(options?: SessionCallOptions): Promise<void>;
}

/**
 * A base for sessions: the protocol's four methods are left to do, and none is there that a session might not
 * be able to honour, since optional capabilities are found by looking for their methods.
 */
export abstract class AbstractSession<TItem = unknown> implements Session<TItem> {
  abstract readonly sessionId: string;
  sessionSettings: SessionSettings | undefined;

  async getSessionId(): Promise<string> {
    return this.sessionId;
  }

  abstract getItems(limit?: number, options?: SessionCallOptions): Promise<TItem[]>;
  abstract addItems(items: TItem[], options?: SessionCallOptions): Promise<void>;
  abstract popItem(options?: SessionCallOptions): Promise<TItem | undefined>;
  abstract clearSession(options?: SessionCallOptions): Promise<void>;
}
