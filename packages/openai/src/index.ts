export type {
  CompactionClient,
  ConversationsClient,
  ItemPage,
  ItemQuery,
  RequestOptions,
} from './clients.ts';
export type { ModelExchange } from './compaction/coverage.ts';
export type { ResolvedCompactionMode } from './compaction/mode.ts';
export {
  type CompactionDecision,
  type CompactionResult,
  OpenAIResponsesCompactionSession,
  type OpenAIResponsesCompactionSessionOptions,
} from './compaction/openai-responses-compaction-session.ts';
export type { UnderlyingSession } from './compaction/underlying.ts';
export type { CompactionUsage } from './compaction/usage.ts';
export {
  type ItemOf,
  OpenAIConversationsSession,
  type OpenAIConversationsSessionOptions,
} from './conversations/openai-conversations-session.ts';
export { startOpenAIConversationsSession } from './conversations/start-conversation.ts';
export type { ItemFormat } from './items/prepared-items.ts';
