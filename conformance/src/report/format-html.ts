import type { Clause } from '../clauses.ts';
import { CLAUSE_GROUPS } from './clause-groups.ts';
import { htmlCase, SIGNS } from './html-case.ts';
import { STYLE } from './html-style.ts';
import { htmlText } from './html-text.ts';
import { LEVELS, type LevelVerdict } from './levels.ts';
import { type CaseResult, type ConformanceReport, countResults, type Gap } from './report.ts';

/**
 * One page on which adapters stand side by side and a cell opens to its cases. It loads nothing and has no script; nothing
 * in it says what it does by colour alone, and all that comes from an adapter is text.
 */
export function formatHtml(reports: readonly ConformanceReport[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance of ${htmlText(reports.map(({ adapter }) => adapter).join(', '))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Conformance report</h1>
<p class="soft">Each adapter, held to the contract for sessions on its real store, clause by clause.</p>
<div class="adapters">${reports.map(card).join('\n')}</div>
<h3 id="clauses">Clauses</h3>
<p class="soft">A cell opens to its cases. n/a: does not apply to this adapter.</p>
${table(reports)}
</main>
</body>
</html>
`;
}

function card(report: ConformanceReport, at: number): string {
  const {
    adapter,
    store,
    kitVersion,
    protocolVersion,
    nodeVersion,
    startedAt,
    ms,
    seed,
    problems,
    results,
    gaps,
    levels,
  } = report;
  const name = `<h2>${htmlText(adapter)}</h2><p>${htmlText(store)}</p>`;
  const about = `<p class="about"><small>${(ms / 1_000).toFixed(1)} s on ${htmlText(startedAt.slice(0, 16).replace('T', ' '))} UTC ·
seed ${seed} · protocol ${htmlText(protocolVersion)} · kit ${htmlText(kitVersion)} · Node.js ${htmlText(nodeVersion)}</small></p>`;
  if (problems.length > 0) {
    const lines = problems.map((line) => `<li class="why">${htmlText(line)}</li>`);
    return `<article>${name}<p class="bad">✕ no case was run</p><ul>${lines.join('')}</ul>${about}</article>`;
  }
  const inapplicable = gaps.reduce((sum, { cases }) => sum + cases, 0);
  const counts = Object.entries({ ...countResults(results), 'not applicable': inapplicable }) as [
    CaseResult['status'],
    number,
  ][];
  const shown = counts
    .filter(([status, count]) => count > 0 || status === 'passed' || status === 'failed')
    .map(
      ([status, count]) =>
        `<span class="${count > 0 ? SIGNS[status].look : 'none'}">${count} ${SIGNS[status].word}</span>`,
    );
  return `<article>${name}<p>${shown.join(' · ')}</p>
<ul>${levels.map(levelOf).join('')}</ul>
${failures(results, at)}${gaps.length > 0 ? gapList(gaps) : ''}${about}</article>`;
}

function levelOf({ level, status, reasons }: LevelVerdict): string {
  const { means } = LEVELS.find((definition) => definition.level === level) ?? { means: '' };
  const [sign, look] =
    status === 'reached' ? ['✓', 'good'] : status === 'failed' ? ['✕', 'bad'] : ['–', 'none'];
  const but =
    reasons.length === 0 ? '' : `${status === 'reached' ? 'Not tried: ' : ''}${htmlText(reasons.join(' '))}`;
  return `<li><span class="level"><b>${level}</b><span class="${look}">${sign} ${status}</span></span><small>${means}${but && `.<br>${but}`}</small></li>`;
}

/** A longer list of failures is closed at first. */
const SHOWN_AT_ONCE = 8;

/** Where to find what went wrong. A browser opens what a link leads into. */
function failures(results: readonly CaseResult[], at: number): string {
  const links = results.flatMap(({ clause, title, status }, number) =>
    status === 'failed' || status === 'kit error'
      ? [`<li><a href="#${idOf(at, number)}">${clause}</a> ${htmlText(title)}</li>`]
      : [],
  );
  if (links.length === 0) return '';
  const open = links.length <= SHOWN_AT_ONCE ? ' open' : '';
  return `<details class="failures"${open}><summary class="bad">What went wrong</summary><ul>${links.join('')}</ul></details>`;
}

function gapList(gaps: readonly Gap[]): string {
  const lines = gaps.map(
    ({ reason, clauses, cases }) =>
      `<li>${htmlText(reason)}<small>${cases} ${cases === 1 ? 'case' : 'cases'}: ${clauses.join(', ')}</small></li>`,
  );
  return `<details class="gaps"><summary>What does not apply, and why</summary><ul>${lines.join('')}</ul></details>`;
}

function table(reports: readonly ConformanceReport[]): string {
  const isTried = (clause: Clause) =>
    reports.some(({ results }) => results.some((one) => one.clause === clause));
  const heads = reports.map(({ adapter }) => `<th scope="col" role="columnheader">${htmlText(adapter)}</th>`);
  const bodies = CLAUSE_GROUPS.flatMap(({ id, name, clauses }) => {
    const tried = clauses.filter(isTried);
    if (tried.length === 0) return [];
    const rows = tried.map((clause) => {
      const cells = reports.map((report, at) => cell(report, at, clause));
      return `<tr role="row"><th scope="row" role="rowheader">${clause}</th>${cells.join('')}</tr>`;
    });
    const head = `<tr class="group" role="row"><th scope="rowgroup" role="rowheader">${id} <span class="soft">${name}</span></th></tr>`;
    return [`<tbody role="rowgroup">${head}\n${rows.join('\n')}</tbody>`];
  });
  // The roles are there because a browser may take a table that is laid out in another way for none.
  return `<table role="table" aria-labelledby="clauses" style="--adapters: ${reports.length}">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Clause</th>${heads.join('')}</tr></thead>
${bodies.join('\n')}
</table>`;
}

function cell({ adapter, results }: ConformanceReport, at: number, clause: Clause): string {
  const place = `<td role="cell" style="--column: ${at + 2}">`;
  const own = results.flatMap((result, number) => (result.clause === clause ? [{ result, number }] : []));
  if (own.length === 0) return `${place}<span class="none">not run</span></td>`;
  const { text, look } = summary(own.map(({ result }) => result));
  const cases = own.map(({ result, number }) => htmlCase(result, idOf(at, number)));
  const who = `<span class="who">${htmlText(adapter)}, ${clause}: </span>`;
  return `${place}<details><summary>${who}<span class="${look}">${text}</span></summary><ul class="cases">${cases.join('')}</ul></details></td>`;
}

function summary(results: readonly CaseResult[]): { text: string; look: string } {
  const { passed, failed, 'kit error': broken } = countResults(results);
  if (failed > 0) return { text: `✕ ${failed} failed`, look: 'bad' };
  if (broken > 0) return { text: `! ${broken} kit error`, look: 'odd' };
  return passed > 0 ? { text: `✓ ${passed}`, look: 'good' } : { text: 'n/a', look: 'none' };
}

function idOf(adapter: number, result: number): string {
  return `case-${adapter}-${result}`;
}
