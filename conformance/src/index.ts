export type {
  Address,
  AnySession,
  Backdoor,
  Capabilities,
  ConformanceAdapter,
  Connection,
  SessionRequest,
  Unsupported,
  Wire,
} from './adapter.ts';
export type { ConformanceCase, Need } from './case.ts';
export { CASES } from './cases.ts';
export { CLAUSES, type Clause } from './clauses.ts';
export { FaultProxy } from './fault-proxy.ts';
export { type CaseResult, type ConformanceReport, countResults, formatReports } from './report.ts';
export { type ConformanceOptions, runCase, runConformance } from './run.ts';
