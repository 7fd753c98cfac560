import { CLAUSES, type Clause } from '../clauses.ts';
import type { LevelVerdict } from './levels.ts';
import { type CaseResult, type ConformanceReport, countResults, type Gap } from './report.ts';
import { shorten } from './shorten.ts';
import { visible } from './visible.ts';

/** A table of clauses by adapter, and below it for each the verdict, each failure in full and each gap with its reason. */
export function formatReports(reports: readonly ConformanceReport[]): string {
  const width = Math.max(8, ...reports.map(({ adapter }) => adapter.length + 2));
  const row = (head: string, cells: string[]) =>
    head.padEnd(8) + cells.map((cell) => cell.padStart(width)).join('');
  const rows = CLAUSES.filter((clause) =>
    reports.some(({ results }) => results.some((result) => result.clause === clause)),
  ).map((clause) => {
    return row(
      clause,
      reports.map(({ results }) => cellOf(results, clause)),
    );
  });
  const names = row(
    'clause',
    reports.map(({ adapter }) => adapter),
  );
  const table = [names, ...rows, '', 'n/a: does not apply, for the reason below. -: no case was run.', ''];
  const all = reports.map((report) => describe(report).join('\n')).join('\n\n');
  return visible([...(rows.length > 0 ? table : []), all].join('\n'));
}

/** What went wrong with a case, how, and how to see it again: for people, indented. */
export function formatFailure(result: CaseResult): string {
  const { clause, title, status, reason = '', expected, actual, steps, replay } = result;
  const lines = [`${status === 'failed' ? 'FAILED' : 'KIT ERROR'} ${clause} ${title}`, ...part('', reason)];
  if (expected) lines.push(...part('expected: ', expected));
  if (actual) lines.push(...part('actual:   ', actual));
  if (steps) lines.push('    steps:', ...indented(steps, 6));
  if (replay) lines.push(...part('alone:    ', replay));
  return lines.join('\n');
}

/** The JSON report has more of a long text. */
const LONGEST = 1_500;

function part(head: string, text: string): string[] {
  const [first, ...rest] = shorten(text, LONGEST).split('\n');
  return [`    ${head}${first}`, ...indented(rest.join('\n'), 4 + head.length)];
}

function indented(text: string, columns: number): string[] {
  return text === '' ? [] : text.split('\n').map((line) => `${' '.repeat(columns)}${line}`);
}

/** What went wrong, and nothing else. */
export function formatFailures(reports: readonly ConformanceReport[]): string {
  const texts = reports.flatMap((report) => {
    const unwell = report.results.filter(isUnwell);
    if (report.problems.length === 0 && unwell.length === 0) return [];
    const [head, ...problems] = headOf(report);
    return [head, ...problems, ...unwell.flatMap((result) => indented(formatFailure(result), 2))].join('\n');
  });
  return visible(texts.join('\n\n'));
}

function isUnwell({ status }: CaseResult): boolean {
  return status === 'failed' || status === 'kit error';
}

function cellOf(results: readonly CaseResult[], clause: Clause): string {
  const { passed, failed, 'not applicable': gaps, 'kit error': broken } = countResults(results, clause);
  if (failed > 0) return `${failed} FAIL`;
  if (broken > 0) return `${broken} ERROR`;
  if (passed > 0) return `${passed} ok`;
  return gaps > 0 ? 'n/a' : '-';
}

/** How many cases ended how, or why none was run. */
function headOf({ adapter, store, problems, results, gaps }: ConformanceReport): string[] {
  const head = `${adapter} on ${store}`;
  if (problems.length > 0) return [`${head}: no case was run`, ...problems.map((line) => `  ${line}`)];
  const { passed, failed, 'kit error': broken } = countResults(results);
  const inapplicable = gaps.reduce((sum, { cases }) => sum + cases, 0);
  const counts = [`${passed} passed`, `${failed} failed`, `${inapplicable} not applicable`];
  if (broken > 0) counts.push(`${broken} with an error of the kit`);
  return [`${head}: ${counts.join(', ')}`];
}

function describe(report: ConformanceReport): string[] {
  const { kitVersion, protocolVersion, nodeVersion, ms, seed, problems, results, complete, gaps, levels } =
    report;
  if (problems.length > 0) return headOf(report);
  return [
    ...headOf(report),
    `  ${(ms / 1_000).toFixed(1)} s, seed ${seed}, protocol ${protocolVersion}, kit ${kitVersion}, Node.js ${nodeVersion}`,
    ...levels.filter(({ status }) => complete || status === 'failed').map(describeLevel),
    ...(complete ? [] : ['  Only some of the cases of the kit were run: no level is shown.']),
    ...results.filter(isUnwell).flatMap((result) => indented(formatFailure(result), 2)),
    ...gaps.map(describeGap),
  ];
}

function describeLevel({ level, status, reasons }: LevelVerdict): string {
  const line = `  ${level.padEnd(16)}${status}`;
  if (reasons.length === 0) return line;
  return status === 'reached' ? `${line}; not tried: ${reasons.join(' ')}` : `${line}: ${reasons.join(' ')}`;
}

function describeGap({ reason, clauses, cases }: Gap): string {
  return `  not applicable, ${cases} ${cases === 1 ? 'case' : 'cases'} (${clauses.join(', ')}): ${reason}`;
}
