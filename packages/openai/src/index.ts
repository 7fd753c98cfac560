export type { ModelExchange } from './compaction-coverage.ts';
export type { ResolvedCompactionMode } from './compaction-mode.ts';
export {
  type CompactionClient,
  type CompactionDecision,
  type CompactionResult,
  OpenAIResponsesCompactionSession,
  type OpenAIResponsesCompactionSessionOptions,
} from './compaction-session.ts';
export type { UnderlyingSession } from './compaction-underlying.ts';
export type { CompactionUsage } from './compaction-usage.ts';
export {
  type ItemOf,
  OpenAIConversationsSession,
  type OpenAIConversationsSessionOptions,
} from './openai-conversations-session.ts';
export type { ItemFormat } from './prepared-items.ts';
export { startOpenAIConversationsSession } from './start-conversation.ts';
