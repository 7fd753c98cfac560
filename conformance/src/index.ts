export type {
  Address,
  AnySession,
  Backdoor,
  Capabilities,
  Closable,
  ConformanceAdapter,
  Connection,
  SessionRequest,
  StartedAdapter,
  StoreGap,
  Unsupported,
  Wire,
} from './adapter.ts';
export type { ConformanceCase, Need } from './case.ts';
export { CASES } from './cases.ts';
export { CLAUSES, type Clause } from './clauses.ts';
export type { CompactingSession, CompactionPart, CompactionWish, SeenExchange } from './compaction.ts';
export { CompactionApi, type CompactionRequest } from './compaction-api.ts';
export type {
  ConversationsClient,
  ConversationsPart,
  ConversationsSession,
  ConversationsWish,
} from './conversations.ts';
export { FaultProxy } from './fault-proxy.ts';
export { formatHtml } from './format-html.ts';
export { formatMarkdown } from './format-markdown.ts';
export { formatFailure, formatReports } from './format-text.ts';
export { type HistoryOptions, historyCases } from './histories/history-cases.ts';
export { LEVELS, type Level, type LevelDefinition, type LevelVerdict } from './levels.ts';
export { Progress, type ProgressStream } from './progress.ts';
export { checkLinearizability, type Unexplained, type Verdict } from './races/linearizability.ts';
export type { Call, Operation, Outcome } from './races/operation.ts';
export type { Json, OpenConnection, ProcessOpening } from './races/process-opening.ts';
export { type RaceOptions, raceCases } from './races/race-cases.ts';
export { formatUnexplained } from './races/timeline.ts';
export { type CaseResult, type ConformanceReport, countResults, exitCodeOf, type Gap } from './report.ts';
export { CASE_TIMEOUT_MS, type ConformanceOptions, runCase, runConformance } from './run.ts';
export { type CaseSelection, selectCases } from './select-cases.ts';
export { type AdapterSource, startAdapter, WrongAdapter } from './start-adapter.ts';
