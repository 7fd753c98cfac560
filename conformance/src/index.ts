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
export { CompactionApi, type CompactionRequest } from './apis/compaction-api.ts';
export type { ConformanceCase, Need } from './case.ts';
export { CASES } from './cases.ts';
export { CLAUSES, type Clause } from './clauses.ts';
export { Progress, type ProgressStream } from './command-line/progress.ts';
export type { CompactingSession, CompactionPart, CompactionWish, SeenExchange } from './compaction.ts';
export type {
  ConversationsClient,
  ConversationsPart,
  ConversationsSession,
  ConversationsWish,
} from './conversations.ts';
export { FaultProxy } from './fault-proxy.ts';
export { type HistoryOptions, historyCases } from './histories/history-cases.ts';
export { checkLinearizability, type Unexplained, type Verdict } from './races/linearizability.ts';
export type { Call, Operation, Outcome } from './races/operation.ts';
export type { Json, OpenConnection, ProcessOpening } from './races/process-opening.ts';
export { type RaceOptions, raceCases } from './races/race-cases.ts';
export { formatUnexplained } from './races/timeline.ts';
export { formatHtml } from './report/format-html.ts';
export { formatMarkdown } from './report/format-markdown.ts';
export { formatFailure, formatReports } from './report/format-text.ts';
export { LEVELS, type Level, type LevelDefinition, type LevelVerdict } from './report/levels.ts';
export {
  type CaseResult,
  type ConformanceReport,
  countResults,
  exitCodeOf,
  type Gap,
} from './report/report.ts';
export { CASE_TIMEOUT_MS, type ConformanceOptions, runCase, runConformance } from './run.ts';
export { type CaseSelection, selectCases } from './select-cases.ts';
export { type AdapterSource, startAdapter, WrongAdapter } from './start-adapter.ts';
