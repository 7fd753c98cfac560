import { htmlText } from './html-text.ts';
import type { CaseResult } from './report.ts';

/** How each status is shown: a sign and a word, so that no colour is needed. */
export const SIGNS: Readonly<Record<CaseResult['status'], { sign: string; word: string; look: string }>> = {
  passed: { sign: '✓', word: 'passed', look: 'good' },
  failed: { sign: '✕', word: 'failed', look: 'bad' },
  'not applicable': { sign: '–', word: 'not applicable', look: 'none' },
  'kit error': { sign: '!', word: 'kit error', look: 'odd' },
};

/** One case with all that is known of it. */
export function htmlCase(result: CaseResult, id: string): string {
  const { title, status, reason, expected, actual, steps, replay, ms } = result;
  const { sign, word, look } = SIGNS[status];
  const time = status === 'not applicable' ? '' : ` <small>${ms.toLocaleString('en')} ms</small>`;
  const head = `<p><span class="${look}">${sign} ${word}</span> <b>${htmlText(title)}</b>${time}</p>`;
  if (status === 'passed') return `<li>${head}</li>`;
  const parts = [reason ? `<p class="why">${htmlText(reason)}</p>` : ''];
  const sides = [expected && block('Expected', expected), actual && block('Actual', actual)];
  parts.push(`<div class="sides">${sides.filter(Boolean).join('')}</div>`);
  if (steps) {
    parts.push(`<details class="steps"><summary>Steps</summary>${code(steps, 'Steps')}</details>`);
  }
  if (replay) parts.push(block('To run it alone', replay, ' class="wraps"'));
  return `<li id="${id}">${head}${parts.join('')}</li>`;
}

function block(name: string, text: string, look = ''): string {
  return `<div><h4>${name}</h4>${code(text, name, look)}</div>`;
}

/** A long line is scrolled, also with the keyboard. */
function code(text: string, name: string, look = ''): string {
  return `<pre${look} tabindex="0" role="region" aria-label="${name}">${htmlText(text)}</pre>`;
}
