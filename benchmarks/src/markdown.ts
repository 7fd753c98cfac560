import type { Failure, Result } from './race.ts';
import type { Row, Verdict } from './row.ts';
import type { Report } from './suite.ts';
import { timeOf } from './time.ts';

/** One store's tables. */
export function markdownOf({ store, sideBySide, growth, writers, held }: Report): string {
  return [
    `## ${store.title} (${store.server})`,
    ...(store.readsWholeRanges ? [READS_WHOLE_RANGES] : []),
    ...section(
      'Side by side',
      sideBySide.map(({ work, results, verdicts }) => [work, ...cells(results), goalsMet(verdicts)]),
      ['', ...namesOf(sideBySide), 'goal'],
    ),
    ...section(
      'A long history beside a short one',
      growth.map(({ work, results, verdicts }) => [work, ...cells(results), goalsMet(verdicts)]),
      ['', ...namesOf(growth), 'goal'],
    ),
    ...section(
      '25 writers at once on one new session, each adding 4 items; 10 times',
      writers.map(({ name, acknowledged, lost, doubled, torn, refused, ms }) => [
        name,
        `${acknowledged} items`,
        `${lost} items`,
        `${doubled} items`,
        `${torn} turns`,
        `${refused} turns`,
        timeOf(ms * 1_000),
      ]),
      ['', 'acknowledged', 'lost', 'doubled', 'torn apart', 'refused', 'until all had their answer'],
    ),
    ...section(
      'Memory that a session of 1,000 items takes',
      held.map(({ name, bytes }) => [name, `${Math.round(bytes / 1_000)} kB`]),
      ['', 'of the heap'],
    ),
  ].join('\n\n');
}

const READS_WHOLE_RANGES =
  'This stand-in reads all that a condition finds, and looks at the limit afterwards: for whoever reads a range of an index, time grows with the history. A MongoDB stops at the limit, so of a long history only additions are judged here; and conversations have a collection each, for ranges of `_id` are looked for in all of it.';

function section(title: string, rows: readonly (readonly string[])[], head: readonly string[]): string[] {
  return rows.length === 0 ? [] : [`### ${title}`, table(head, rows)];
}

function namesOf(rows: readonly Row[]): string[] {
  return rows[0]?.results.map(({ name }) => name) ?? [];
}

function cells(results: Row['results']): string[] {
  return results.map((result, index) => cell(result, index === 0));
}

function goalsMet(verdicts: readonly Verdict[]): string {
  return verdicts.map(judged).join('<br>') || '–';
}

function cell(result: Result | Failure, isOurs: boolean): string {
  if ('failure' in result) return `cannot: ${shortened(result.failure)}`;
  const { micros, ratio, spread } = result;
  if (isOurs) return timeOf(micros);
  return `${timeOf(micros)} → ${ratio.toFixed(2)} × (${spread.map((value) => value.toFixed(2)).join('–')})`;
}

/** The last of what libraries put one before another: what the server said. */
function shortened(message: string): string {
  const [said = ''] = message.split(/ - |\n/);
  return said
    .slice(said.lastIndexOf(': ') + 1)
    .replaceAll(/["|]/g, '')
    .trim();
}

function judged({ against, least, ratio, met }: Verdict): string {
  const what = ratio === Number.POSITIVE_INFINITY ? 'none can' : `${ratio.toFixed(2)} ×`;
  return `${least.toFixed(2)} × ${against}: ${what}, ${met ? 'met' : '**missed**'}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
