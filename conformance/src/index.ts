export type {
  Address,
  AnySession,
  Backdoor,
  Capabilities,
  ConformanceAdapter,
  Connection,
  SessionRequest,
  StartedAdapter,
  Unsupported,
  Wire,
} from './adapter.ts';
export type { ConformanceCase, Need } from './case.ts';
export { CASES } from './cases.ts';
export { CLAUSES, type Clause } from './clauses.ts';
export { FaultProxy } from './fault-proxy.ts';
export { type HistoryOptions, historyCases } from './histories/history-cases.ts';
export { type CaseResult, type ConformanceReport, countResults, formatReports } from './report.ts';
export { CASE_TIMEOUT_MS, type ConformanceOptions, runCase, runConformance } from './run.ts';
