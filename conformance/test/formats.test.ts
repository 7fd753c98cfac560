import { describe, expect, test } from 'vitest';
import {
  type CaseResult,
  CLAUSES,
  type ConformanceReport,
  formatHtml,
  formatMarkdown,
  formatReports,
} from '../src/index.ts';

const EVIL = '<script>alert(1)</script>"\'&|`*_[x](y)\u0000\u001b[2J\u202eevil\ud800\nline';

function report(parts: Partial<ConformanceReport> = {}): ConformanceReport {
  const passed: CaseResult = { clause: 'ID-1', title: 'good', status: 'passed', ms: 1 };
  return {
    adapter: 'mine',
    store: 'a store 1.2',
    kitVersion: '0.0.0',
    protocolVersion: '1.0',
    nodeVersion: 'v24.0.0',
    startedAt: '2024-05-06T07:08:09.000Z',
    ms: 12_345,
    seed: 42,
    problems: [],
    results: [
      passed,
      { clause: 'FLT-1', title: 'gap', status: 'not applicable', reason: 'It has no wire.', ms: 0 },
    ],
    complete: true,
    gaps: [{ reason: 'It has no wire.', clauses: ['FLT-1'], cases: 1 }],
    levels: [
      { level: 'core', status: 'reached', reasons: [] },
      { level: 'durable', status: 'not shown', reasons: ['It has no wire.'] },
      { level: 'concurrent', status: 'reached', reasons: ['One process.'] },
      { level: 'fault tolerant', status: 'not shown', reasons: ['It has no wire.'] },
    ],
    ...parts,
  };
}

const FAILURE: CaseResult = {
  clause: 'GET-3',
  title: 'bad',
  status: 'failed',
  reason: 'The newest',
  expected: '[ 2 ]',
  actual: '[\n  1\n]',
  steps: 'async () => same([1], [2])',
  replay: 'npx sessions-conformance ./adapter.mjs --clause GET-3 --title bad',
  ms: 3,
};

const failing = report({
  adapter: 'wrong',
  results: [FAILURE, { ...FAILURE, clause: 'GET-4', title: 'odd', status: 'kit error' }],
  gaps: [],
  levels: [{ level: 'core', status: 'failed', reasons: ['GET-3 failed.'] }],
});

const untried = report({
  adapter: 'hanging',
  problems: ['open() hangs.'],
  results: [],
  gaps: [],
  levels: [],
});

/** All that an adapter can put into a report is text that means harm. */
const evil = report({
  adapter: EVIL,
  store: EVIL,
  results: [
    { ...FAILURE, reason: EVIL, expected: EVIL, actual: EVIL, steps: EVIL, replay: EVIL },
    { ...FAILURE, clause: 'FLT-1', status: 'not applicable', reason: EVIL },
  ],
  gaps: [{ reason: EVIL, clauses: ['FLT-1'], cases: 1 }],
  levels: [{ level: 'core', status: 'not shown', reasons: [EVIL] }],
});

describe('as text', () => {
  test('there is a table, and what failed and what does not apply in full', () => {
    const text = formatReports([report(), failing, untried]);
    expect(text).toMatch(/^ID-1 +1 ok +- +-$/m);
    expect(text).toMatch(/^GET-3 +- +1 FAIL +-$/m);
    expect(text).toMatch(/^GET-4 +- +1 ERROR +-$/m);
    expect(text).toMatch(/^FLT-1 +n\/a +- +-$/m);
    expect(text).toContain('mine on a store 1.2: 1 passed, 0 failed, 1 not applicable');
    expect(text).toContain('12.3 s, seed 42, protocol 1.0, kit 0.0.0');
    expect(text).toMatch(/^ {2}core +reached$/m);
    expect(text).toMatch(/^ {2}durable +not shown: It has no wire\.$/m);
    expect(text).toMatch(/^ {2}concurrent +reached; not tried: One process\.$/m);
    expect(text).toContain('not applicable, 1 case (FLT-1): It has no wire.');
    expect(text).toContain(
      [
        '  FAILED GET-3 bad',
        '      The newest',
        '      expected: [ 2 ]',
        '      actual:   [',
        '                  1',
        '                ]',
        '      steps:',
        '        async () => same([1], [2])',
        `      alone:    ${FAILURE.replay}`,
      ].join('\n'),
    );
    expect(text).toContain('  KIT ERROR GET-4 odd');
    expect(text).toContain('hanging on a store 1.2: no case was run\n  open() hangs.');
  });

  test('of a part of a run only what failed is told of the levels, and only the rows that have something', () => {
    const text = formatReports([{ ...failing, complete: false }]);
    expect(text).toMatch(/^ {2}core +failed: GET-3 failed\.$/m);
    expect(text).toContain('no level is shown');
    expect(text).not.toMatch(/^GET-1/m);
    expect(formatReports([{ ...report(), complete: false }])).not.toContain('reached');
  });

  test('nothing reaches the terminal that works on it', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
    expect(formatReports([evil])).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
  });
});

describe('as Markdown', () => {
  test('there is a badge whose text says the same, and a matrix', () => {
    const text = formatMarkdown([report(), failing, untried]);
    expect(text.split('\n').slice(0, 3)).toEqual([
      '![mine conformance: core, concurrent](https://img.shields.io/badge/mine%20conformance-core%2C%20concurrent-green)',
      '![wrong conformance: 1 case failed](https://img.shields.io/badge/wrong%20conformance-1%20case%20failed-red)',
      '![hanging conformance: not tried](https://img.shields.io/badge/hanging%20conformance-not%20tried-lightgrey)',
    ]);
    expect(text).toContain(
      '| level | mine | wrong | hanging |\n| :-- | :-- | :-- | :-- |\n| core | reached | **failed** |',
    );
    expect(text).toContain('| ID (identity) | 1 passed |  |  |');
    expect(text).toContain('| GET (reading) |  | **1 failed** (GET-3) |  |');
    expect(text).toContain('- not applicable, 1 case (FLT-1): It has no wire.');
    expect(text).toContain('- **failed** GET-3 bad: The newest');
    expect(text).toContain('- open() hangs.');
  });

  test('what comes from an adapter is text on one line', () => {
    const text = formatMarkdown([evil]);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('\nline');
    expect(text).not.toMatch(/(?<!\\)\[x/);
    const badge = /\]\((https:\/\/[^)]*)\)$/m.exec(text)![1]!;
    expect(badge).toMatch(/^[\w:/.%~!*'-]+$/);
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)?.length).toBe(3);
  });
});

describe('as a page', () => {
  const page = formatHtml([report(), failing, untried]);

  test('adapters stand side by side, and a cell opens to its cases', () => {
    expect(page).toMatch(/<th scope="col"[^>]*>mine<\/th><th scope="col"[^>]*>wrong<\/th>/);
    expect(page).toMatch(/<th scope="row"[^>]*>GET-3<\/th>/);
    const cell = /<td [^>]*><details>.*?<b>bad<\/b>.*?<\/details><\/td>/s.exec(page)![0];
    for (const part of [FAILURE.reason, FAILURE.expected, FAILURE.actual, FAILURE.replay]) {
      expect(cell).toContain(part);
    }
    expect(page).toContain('async () =&gt; same([1], [2])');
    expect(page).toContain('open() hangs.');
    expect(page).not.toContain('>GET-5<');
  });

  test('each link leads to a case, and no id is there twice', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBe(2);
    for (const link of links) expect(ids).toContain(link);
  });

  test('it loads nothing, and nothing of an adapter is markup', () => {
    const text = formatHtml([evil]);
    for (const one of [page, text]) {
      expect(one).not.toMatch(/<(script|img|link|iframe)\b|\bsrc=|url\(|@import|https?:/);
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e\ud800]/);
    const tags = (of: string) => [...of.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag);
    const known = new Set(tags(page));
    expect(tags(text).filter((tag) => !known.has(tag))).toEqual([]);
    expect(text).not.toMatch(/="[^"]*evil/);
  });

  test('a page of all clauses has a row each', () => {
    const results = CLAUSES.map((clause): CaseResult => ({ clause, title: 'x', status: 'passed', ms: 1 }));
    const all = formatHtml([report({ results })]);
    for (const clause of CLAUSES) expect(all).toContain(`>${clause}</th>`);
  });
});
