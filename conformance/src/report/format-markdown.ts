import { CLAUSE_GROUPS, type ClauseGroup } from './clause-groups.ts';
import { LEVELS } from './levels.ts';
import { type ConformanceReport, countResults, type Gap } from './report.ts';
import { shorten } from './shorten.ts';
import { visible } from './visible.ts';

/**
 * For a README: a badge for each adapter, whose text says all that its picture does, then what was reached and a matrix of
 * clauses by adapter, what failed, and what does not apply and why.
 *
 * The pictures are static ones of shields.io: nothing of the adapter is asked for there but what the badge says.
 */
export function formatMarkdown(reports: readonly ConformanceReport[]): string {
  const table = (head: string, rows: string[][]) => [
    line([head, ...reports.map(({ adapter }) => plain(adapter))]),
    line([':--', ...reports.map(() => ':--')]),
    ...rows.map(line),
    '',
  ];
  const groups = CLAUSE_GROUPS.filter(({ clauses }) =>
    reports.some(({ results }) => results.some(({ clause }) => clauses.includes(clause))),
  );
  return [
    ...reports.map(badge),
    '',
    ...table(
      'level',
      LEVELS.map(({ level }) => [level, ...reports.map((report) => statusOf(report, level))]),
    ),
    ...table(
      'clauses',
      groups.map((group) => [
        `${group.id} (${group.name})`,
        ...reports.map((report) => cellOf(report, group)),
      ]),
    ),
    ...reports.flatMap(describe),
    '',
  ].join('\n');
}

function badge(report: ConformanceReport): string {
  const { message, color } = summary(report);
  const label = `${report.adapter} conformance`;
  const part = (text: string) => encodeURIComponent(text.replace(/[-_]/g, '$&$&').toWellFormed());
  const picture = `https://img.shields.io/badge/${part(shorten(label, 60))}-${part(message)}-${color}`;
  return `![${plain(`${label}: ${message}`)}](${picture.replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
}

/** The verdict in a few words. */
function summary({ problems, results, levels }: ConformanceReport): { message: string; color: string } {
  if (problems.length > 0) return { message: 'not tried', color: 'lightgrey' };
  const { failed } = countResults(results);
  if (failed > 0) return { message: `${failed} ${failed === 1 ? 'case' : 'cases'} failed`, color: 'red' };
  const reached = levels.filter(({ status }) => status === 'reached').map(({ level }) => level);
  if (reached.length === 0) return { message: 'no level shown', color: 'lightgrey' };
  return { message: reached.join(', '), color: reached.length === levels.length ? 'brightgreen' : 'green' };
}

function statusOf({ levels }: ConformanceReport, wanted: string): string {
  const found = levels.find(({ level }) => level === wanted);
  return found?.status === 'failed' ? '**failed**' : (found?.status ?? '');
}

function cellOf({ results }: ConformanceReport, { clauses }: ClauseGroup): string {
  const own = results.filter(({ clause }) => clauses.includes(clause));
  const { passed, failed, 'not applicable': gaps, 'kit error': broken } = countResults(own);
  const names = (status: string) =>
    [...new Set(own.filter((one) => one.status === status).map(({ clause }) => clause))].join(', ');
  if (failed > 0) return `**${failed} failed** (${names('failed')})`;
  if (broken > 0) return `${broken} kit error (${names('kit error')})`;
  if (passed > 0) return `${passed} passed`;
  return gaps > 0 ? 'n/a' : '';
}

function describe(report: ConformanceReport): string[] {
  const {
    adapter,
    store,
    kitVersion,
    protocolVersion,
    nodeVersion,
    startedAt,
    problems,
    results,
    gaps,
    levels,
  } = report;
  const { passed, failed, 'kit error': broken } = countResults(results);
  const inapplicable = gaps.reduce((sum, { cases }) => sum + cases, 0);
  const counts = [`${passed} passed`, `${failed} failed`, `${inapplicable} not applicable`];
  if (broken > 0) counts.push(`${broken} with an error of the kit`);
  const unwell = results.filter(({ status }) => status === 'failed' || status === 'kit error');
  return [
    `**${plain(adapter)}** on ${plain(store)}: ${counts.join(', ')}. Protocol ${protocolVersion}, kit ${plain(kitVersion)}, Node.js ${plain(nodeVersion)}, ${startedAt.slice(0, 10)}.`,
    '',
    ...list([
      ...problems.map(plain),
      ...unwell.map(({ clause, title, status, reason = '' }) => {
        return `**${status === 'failed' ? 'failed' : 'kit error'}** ${clause} ${plain(title)}: ${plain(reason)}`;
      }),
      ...levels
        .filter(({ status }) => status === 'not shown')
        .map(({ level, reasons }) => `${level} is not shown: ${plain(reasons.join(' '))}`),
      ...gaps.map(describeGap),
    ]),
  ];
}

function describeGap({ reason, clauses, cases }: Gap): string {
  return `not applicable, ${cases} ${cases === 1 ? 'case' : 'cases'} (${clauses.join(', ')}): ${plain(reason)}`;
}

function list(entries: string[]): string[] {
  return entries.length > 0 ? [...entries.map((entry) => `- ${entry}`), ''] : [];
}

function line(cells: string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Text on one line that is nothing but text. */
function plain(text: string): string {
  return visible(shorten(text, 300))
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]#|~!$]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}
