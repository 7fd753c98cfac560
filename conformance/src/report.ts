import { CLAUSES, type Clause } from './clauses.ts';

/** How one case went. */
export interface CaseResult {
  readonly clause: Clause;
  readonly title: string;
  readonly status: 'passed' | 'failed' | 'not applicable';
  /** What was seen broken, or why the case does not apply. */
  readonly reason?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** How an adapter did. */
export interface ConformanceReport {
  readonly adapter: string;
  /** The store and its version. */
  readonly store: string;
  readonly results: readonly CaseResult[];
}

/** Passed, failed and not applicable cases of one clause, or of all. */
export function countResults(
  results: readonly CaseResult[],
  clause?: Clause,
): Record<CaseResult['status'], number> {
  const counts = { passed: 0, failed: 0, 'not applicable': 0 };
  for (const result of results) if (clause === undefined || result.clause === clause) counts[result.status]++;
  return counts;
}

/** A table of clauses by adapter, and below it each failure in full and each gap with its reason. */
export function formatReports(reports: readonly ConformanceReport[]): string {
  const width = Math.max(8, ...reports.map(({ adapter }) => adapter.length + 2));
  const row = (head: string, cells: string[]) =>
    head.padEnd(8) + cells.map((cell) => cell.padStart(width)).join('');
  const lines = [
    row(
      'clause',
      reports.map(({ adapter }) => adapter),
    ),
  ];
  for (const clause of CLAUSES)
    lines.push(
      row(
        clause,
        reports.map(({ results }) => cellOf(results, clause)),
      ),
    );
  lines.push('', 'n/a: does not apply, for the reason below. -: the kit has no case yet.', '');
  lines.push(...reports.flatMap(describe));
  return lines.join('\n');
}

function cellOf(results: readonly CaseResult[], clause: Clause): string {
  const { passed, failed, 'not applicable': gaps } = countResults(results, clause);
  if (failed > 0) return `${failed} FAIL`;
  if (passed > 0) return `${passed} ok`;
  return gaps > 0 ? 'n/a' : '-';
}

function describe({ adapter, store, results }: ConformanceReport): string[] {
  const { passed, failed, 'not applicable': gaps } = countResults(results);
  const lines = [`${adapter} on ${store}: ${passed} passed, ${failed} failed, ${gaps} not applicable`];
  for (const { clause, title, reason, expected, actual } of results.filter(
    ({ status }) => status === 'failed',
  )) {
    lines.push(
      `  FAILED ${clause} ${title}: ${reason}`,
      `    expected: ${expected}`,
      `    actual:   ${actual}`,
    );
  }
  const reasons = Map.groupBy(
    results.filter(({ status }) => status === 'not applicable'),
    ({ reason }) => reason,
  );
  for (const [reason, cases] of reasons) {
    const clauses = [...new Set(cases.map(({ clause }) => clause))];
    lines.push(`  not applicable, ${cases.length} cases (${clauses.join(', ')}): ${reason}`);
  }
  return lines;
}
