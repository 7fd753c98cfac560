import type { ProtocolVersion } from '@sessions/core';
import type { Clause } from '../clauses.ts';
import { isNoGap } from '../why-not.ts';
import type { LevelVerdict } from './levels.ts';

/** How one case went. */
export interface CaseResult {
  readonly clause: Clause;
  readonly title: string;
  /**
   * `failed`: the adapter broke the clause, or what it tells of itself does not work. `kit error`: the kit itself is
   * at fault, which says nothing of the adapter.
   */
  readonly status: 'passed' | 'failed' | 'not applicable' | 'kit error';
  /** What was seen broken, or why the case does not apply. */
  readonly reason?: string | undefined;
  /** Of a case that does not apply: whether it is the store that could not stand it, and not a thing that it need not have. */
  readonly isStores?: boolean | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** What was done, for a case that did not pass: its code, or the shortest history that a generated one found. */
  readonly steps?: string | undefined;
  /** For a case that generates what it tries: what to give to have the same again. */
  readonly seed?: number | undefined;
  /** With the seed: the one history that failed. */
  readonly path?: string | undefined;
  /** For a case that did not pass: how to run it alone. */
  readonly replay?: string | undefined;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** Why cases do not apply, and to which clauses they belong. */
export interface Gap {
  readonly reason: string;
  readonly clauses: readonly Clause[];
  /** How many there are. */
  readonly cases: number;
}

/** How an adapter did. Plain data: `JSON.stringify()` keeps all of it. */
export interface ConformanceReport {
  readonly adapter: string;
  /** The store and its version. */
  readonly store: string;
  readonly kitVersion: string;
  /** The version of the protocol that the adapter was held to. */
  readonly protocolVersion: ProtocolVersion;
  readonly nodeVersion: string;
  /** When the run began, as ISO 8601. */
  readonly startedAt: string;
  /** How long all of it took, in milliseconds. */
  readonly ms: number;
  /** Of all that was generated. */
  readonly seed: number;
  /** What is so wrong with the adapter that no case could be run; else there is none. A line each. */
  readonly problems: readonly string[];
  readonly results: readonly CaseResult[];
  /** Whether all cases of the kit were run. A part of them reaches no level. */
  readonly complete: boolean;
  /** What the adapter, or its store, does not have. */
  readonly gaps: readonly Gap[];
  readonly levels: readonly LevelVerdict[];
}

/** How many cases of one clause, or of all, ended in each way. */
export function countResults(
  results: readonly CaseResult[],
  clause?: Clause,
): Record<CaseResult['status'], number> {
  const counts = { passed: 0, failed: 0, 'not applicable': 0, 'kit error': 0 };
  for (const result of results) if (clause === undefined || result.clause === clause) counts[result.status]++;
  return counts;
}

/** What results say an adapter does not have. */
export function gapsOf(results: readonly CaseResult[]): Gap[] {
  const gaps = results.filter(({ status, reason }) => status === 'not applicable' && !isNoGap(reason));
  return [...Map.groupBy(gaps, ({ reason = '' }) => reason)].map(([reason, cases]) => ({
    reason,
    clauses: [...new Set(cases.map(({ clause }) => clause))],
    cases: cases.length,
  }));
}

/**
 * The exit code that reports come to: 1 when a case failed; 2 when none did, but an adapter could not be tried or the kit
 * itself failed; else 0.
 */
export function exitCodeOf(reports: readonly ConformanceReport[]): 0 | 1 | 2 {
  const counts = countResults(reports.flatMap(({ results }) => results));
  if (counts.failed > 0) return 1;
  return counts['kit error'] > 0 || reports.some(({ problems }) => problems.length > 0) ? 2 : 0;
}
