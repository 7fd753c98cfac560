import type { ConformanceCase } from '../case.ts';
import { failureCases } from './compaction/failure.ts';
import { meanwhileCases } from './compaction/meanwhile.ts';
import { modeCases } from './compaction/mode.ts';
import { requestCases } from './compaction/requests.ts';
import { runCases } from './compaction/runs.ts';

/** What a session that compacts another promises. */
export const compactionCases: ConformanceCase[] = [
  ...modeCases,
  ...meanwhileCases,
  ...failureCases,
  ...requestCases,
  ...runCases,
];
