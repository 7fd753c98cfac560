export type { AgentItem } from './agent-item.ts';
export { awaitSessionMutation } from './await-session-mutation.ts';
export type {
  AppendItemsTransaction,
  CapabilityCallOptions,
  HistoryMutation,
  HistoryMutationsArgs,
  HistoryReplaceAwareSession,
  HistoryRewriteAwareSession,
  HistorySnapshot,
  HistorySnapshotAwareSession,
  HistoryTransaction,
  HistoryTransactionArgs,
  HistoryTransactionAwareSession,
  ReplaceFunctionCallMutation,
  ReplaceSuffixTransaction,
} from './capabilities.ts';
export {
  isOpenAIResponsesCompactionAwareSession,
  type OpenAIResponsesCompactionArgs,
  type OpenAIResponsesCompactionAwareSession,
  type OpenAIResponsesCompactionMode,
  type OpenAIResponsesCompactionResult,
} from './compaction.ts';
export {
  isSessionError,
  SESSION_ERROR_CODES,
  SessionError,
  type SessionErrorCode,
  type SessionErrorDetails,
} from './errors.ts';
export { lastTurns } from './last-turns.ts';
export { PROTOCOL_VERSION, type ProtocolVersion } from './protocol-version.ts';
export { AbstractSession, type Session, type SessionCallOptions } from './session.ts';
export { resolveSessionLimit, type SessionSettings } from './settings.ts';
