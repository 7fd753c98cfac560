import type { Session, SessionCallOptions } from './session.ts';

/**
 * What every call of a session takes last, and nothing more. `object`: the official SDK's types have a run context in
 * this place, which it hands only to sessions that ask for it.
 */
export type CapabilityCallOptions = SessionCallOptions & object;

/** Adds items at the end, as one step with its operation id. */
export interface AppendItemsTransaction<TItem> {
  type: 'append_items';
  /** What is appended, oldest first. None is allowed: the operation is recorded all the same (TXN-4). */
  items: TItem[];
}

/** Replaces the newest items, if they are the expected ones, as one step with its operation id. */
export interface ReplaceSuffixTransaction<TItem> {
  type: 'replace_suffix';
  /** What the history must end with, oldest first: the same data, keys in whatever order. An empty one always matches. */
  expectedSuffix: TItem[];
  /** What stands there afterwards. */
  replacement: TItem[];
}

export type HistoryTransaction<TItem> = AppendItemsTransaction<TItem> | ReplaceSuffixTransaction<TItem>;

export interface HistoryTransactionArgs<TItem> {
  /** Not blank, and the same whenever this transaction is tried again. */
  operationId: string;
  transaction: HistoryTransaction<TItem>;
}

/** A session whose changes can be given an id under which they are applied once (TXN). */
export interface HistoryTransactionAwareSession<TItem = unknown> extends Session<TItem> {
  /**
   * Applies a change together with its operation id, once, however often and from wherever it is tried,
   * until the session is cleared (TXN-1 … TXN-4).
   *
   * Of concurrent callers with the same id and transaction one applies it and all succeed.
   *
   * @throws SessionError `OPERATION_CONFLICT`, `SUFFIX_MISMATCH`, `INVALID_ARGUMENT`, `INVALID_ITEM`,
   *   `ITEM_TOO_LARGE`, `UNREADABLE_ITEM` (in the suffix), `CONFLICT` (others kept writing until the time was up),
   *   and what every call may throw: `UNAVAILABLE`, `OUTCOME_UNKNOWN`, `ACCESS_DENIED`, `INCOMPATIBLE_STORE`, `CLOSED`
   */
  applyHistoryTransaction(
    args: HistoryTransactionArgs<TItem>,
    options?: CapabilityCallOptions,
  ): Promise<void>;
}

/** Puts another function call in the place of the stored one with this call id. */
export interface ReplaceFunctionCallMutation<TItem> {
  type: 'replace_function_call';
  /** The `callId` of the stored call. */
  callId: string;
  /** A function call; its own `callId` may be another. */
  replacement: Extract<TItem, { type: 'function_call' }>;
}

export type HistoryMutation<TItem> = ReplaceFunctionCallMutation<TItem>;

export interface HistoryMutationsArgs<TItem> {
  /** Applied one after another, as one step. */
  mutations: HistoryMutation<TItem>[];
}

/** A session whose stored items can be rewritten in place (RWR). */
export interface HistoryRewriteAwareSession<TItem = unknown> extends Session<TItem> {
  /**
   * For each mutation, replaces the first stored call with that id, removes later duplicates, and leaves all
   * else as it is; all in one step (RWR-1). Ids that are not stored change nothing.
   *
   * Concurrent callers see the history before or after it; what they append meanwhile stays.
   *
   * @throws SessionError `INVALID_ARGUMENT`, `INVALID_ITEM`, `ITEM_TOO_LARGE`, `UNREADABLE_ITEM`, `CONFLICT` (others
   *   kept writing until the time was up), `UNAVAILABLE`, `OUTCOME_UNKNOWN`, `ACCESS_DENIED`, `INCOMPATIBLE_STORE`,
   *   `CLOSED`
   */
  applyHistoryMutations(args: HistoryMutationsArgs<TItem>, options?: CapabilityCallOptions): Promise<void>;
}

/** A session whose history can be replaced as a whole without losing its identity (RPL). */
export interface HistoryReplaceAwareSession<TItem = unknown> extends Session<TItem> {
  /**
   * Makes the history exactly `items`, in one step: a crash leaves the old one or the new one (RPL-1).
   * Operation ids stay remembered.
   *
   * Concurrent callers see the history before or after it. What was appended before it is replaced, though the caller
   * may not have seen it.
   *
   * @throws SessionError `INVALID_ARGUMENT`, `INVALID_ITEM`, `ITEM_TOO_LARGE`, `UNAVAILABLE`, `OUTCOME_UNKNOWN`,
   *   `ACCESS_DENIED`, `INCOMPATIBLE_STORE`, `CLOSED`
   */
  replaceHistoryWithCompaction(items: TItem[], options?: CapabilityCallOptions): Promise<void>;
}

/** A history as it was read, and what may take its place. */
export interface HistorySnapshot<TItem> {
  /** All items, oldest first, whatever the session's default limit; copies (ISO-1). */
  readonly items: TItem[];
  /** How many damaged records were passed over (GET-7), where the session can tell. */
  readonly damaged?: number;
  /**
   * Puts `items` in the place of what was read, in one step, if nothing was dropped from the history since: a crash
   * leaves the old one or the new one. What was appended since follows them (CMP-3). Operation ids stay remembered.
   *
   * Concurrent callers see the history before or after it; of those that replace one snapshot, one does.
   *
   * @returns whether it did. `false`: items were popped, cleared, rewritten or replaced meanwhile, by whomever; nothing
   *   was changed. That shows in what is stored: the same items, put back in the same places with more after them, count
   *   as what was read.
   * @throws SessionError `INVALID_ARGUMENT`, `INVALID_ITEM`, `ITEM_TOO_LARGE`, `UNREADABLE_ITEM`, `CONFLICT` (others
   *   kept writing until the time was up), `UNAVAILABLE`, `OUTCOME_UNKNOWN`, `ACCESS_DENIED`, `INCOMPATIBLE_STORE`,
   *   `CLOSED`
   */
  replace(items: TItem[], options?: CapabilityCallOptions): Promise<boolean>;
}

/** A session whose history can be replaced as it was read, and not otherwise. What compaction is built on (CMP-3). */
export interface HistorySnapshotAwareSession<TItem = unknown> extends Session<TItem> {
  /**
   * Reads the whole history, whatever the default limit.
   *
   * @throws SessionError `UNREADABLE_ITEM`, `UNAVAILABLE`, `ACCESS_DENIED`, `INCOMPATIBLE_STORE`, `CLOSED`
   */
  snapshotHistory(options?: CapabilityCallOptions): Promise<HistorySnapshot<TItem>>;
}
