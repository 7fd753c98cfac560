/**
 * The implementor's side: a store of two functions, and the session that is made of it.
 *
 * @see docs/writing-an-adapter.md
 */

export { inAdapter } from './errors.ts';
export { type EventLog, FINAL, type LogErasure, type LogRange, type LogRow } from './log/event-log.ts';
export { LogHistory, type LogOptions } from './log/log-history.ts';
export { checkProtocolVersion } from './protocol-version.ts';
export { checkSessionId } from './session-id.ts';
export type { Call } from './store/call.ts';
export { Calls } from './store/calls.ts';
export { DAMAGED, decodeRecord, encodeItems, HELD_MARK, TEXT } from './store/codec.ts';
export { COPIES, type Copy } from './store/copies.ts';
export { escapeId } from './store/escape-id.ts';
export {
  type HistoryChange,
  type HistoryCommit,
  type HistoryQuery,
  type HistoryRead,
  type HistoryStore,
  isPop,
  NO_VERSION,
  type StoreCall,
  type Version,
} from './store/history-store.ts';
export { invalidArgument } from './store/invalid-argument.ts';
export { MAX_BATCH_BYTES, MAX_BATCH_ITEMS, MAX_DEPTH, MAX_ITEM_BYTES } from './store/limits.ts';
export { encodeAll, type RecordCodec } from './store/record-codec.ts';
export { type ResolvedStoreOptions, resolveStoreOptions, type StoreOptions } from './store/store-options.ts';
export { StoredSession, type StoredSessionInit } from './store/stored-session.ts';
