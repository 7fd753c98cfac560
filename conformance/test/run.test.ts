import { describe, expect, test } from 'vitest';
import { promise } from '../src/case.ts';
import { same } from '../src/check.ts';
import {
  CASES,
  CLAUSES,
  type ConformanceAdapter,
  countResults,
  formatReports,
  runCase,
  runConformance,
} from '../src/index.ts';

/** An adapter of which only what a case below touches is there. */
function adapter(parts: Partial<ConformanceAdapter> = {}): ConformanceAdapter {
  return {
    name: 'nothing',
    store: 'nowhere',
    capabilities: {
      transactions: true,
      rewrites: { unsupported: 'It cannot rewrite.' },
      replacement: true,
      expiry: true,
    },
    open: () => Promise.reject(new Error('no connection')),
    wire: { unsupported: 'It has no wire.' },
    processes: { unsupported: 'It has no other processes.' },
    backdoor: { plant: async () => undefined, contents: async () => [], records: async () => [] },
    ...parts,
  };
}

describe('a case', () => {
  test('passes', async () => {
    const result = await runCase(
      adapter(),
      promise('ID-1', 'holds', async () => undefined),
    );
    expect(result).toMatchObject({ clause: 'ID-1', title: 'holds', status: 'passed' });
  });

  test('fails with what was expected and what came back', async () => {
    const result = await runCase(
      adapter(),
      promise('ID-1', 'is 1', async () => same(2, 1, 'The number')),
    );
    expect(result).toMatchObject({ status: 'failed', reason: 'The number', expected: '1', actual: '2' });
  });

  test('fails where a call fails that should not', async () => {
    const result = await runCase(
      adapter(),
      promise('ID-1', 'opens', async (bench) => void (await bench.session())),
    );
    expect(result).toMatchObject({
      status: 'failed',
      actual: expect.stringContaining('no connection') as string,
    });
  });

  test('fails when it does not come to an end', async () => {
    const endless = promise('ID-1', 'ends', () => new Promise(() => undefined));
    const result = await runCase(adapter(), endless, 50);
    expect(result).toMatchObject({ status: 'failed', expected: 'an end within 50 ms' });
  });

  test('does not apply without what it needs, and says why', async () => {
    const run = () => Promise.reject(new Error('ran'));
    const wired = await runCase(adapter(), promise('FLT-1', 'x', run, 'wire'));
    expect(wired).toMatchObject({ status: 'not applicable', reason: 'It has no wire.' });
    const rewriting = await runCase(adapter(), promise('RWR-1', 'x', run, 'rewrites'));
    expect(rewriting).toMatchObject({ status: 'not applicable', reason: 'It cannot rewrite.' });
    const lifetimes = await runCase(adapter(), promise('TTL-1', 'x', run, 'lifetimes'));
    expect(lifetimes).toMatchObject({ status: 'not applicable' });
  });

  test('for those without a capability is tried on them only', async () => {
    const stub = (without: 'rewrites' | 'expiry') => ({
      ...promise('RWR-1', 'x', async () => undefined),
      without,
    });
    expect(await runCase(adapter(), stub('rewrites'))).toMatchObject({ status: 'passed' });
    expect(await runCase(adapter(), stub('expiry'))).toMatchObject({ status: 'not applicable' });
  });

  test('ends everything that it opened', async () => {
    const closed: string[] = [];
    const session = { close: async () => void closed.push('session') } as never;
    const open = async () => ({ session: () => session, close: async () => void closed.push('connection') });
    await runCase(
      adapter({ open }),
      promise('ID-1', 'x', async (bench) => void (await bench.session())),
    );
    expect(closed).toEqual(['session', 'connection']);
  });
});

test('a run gives one result a case, and a table with failures and gaps in full', async () => {
  const told: string[] = [];
  const cases = [
    promise('ID-1', 'good', async () => undefined),
    promise('GET-3', 'bad', async () => same([1], [2], 'The newest')),
    promise('FLT-1', 'gap', async () => undefined, 'wire'),
  ];
  const report = await runConformance(adapter(), { cases, onResult: ({ title }) => told.push(title) });
  expect(told).toEqual(['good', 'bad', 'gap']);
  expect(countResults(report.results)).toEqual({ passed: 1, failed: 1, 'not applicable': 1 });
  const table = formatReports([report]);
  expect(table).toMatch(/^ID-1 +1 ok$/m);
  expect(table).toMatch(/^GET-3 +1 FAIL$/m);
  expect(table).toMatch(/^FLT-1 +n\/a$/m);
  expect(table).toMatch(/^GET-1 +-$/m);
  expect(table).toContain('FAILED GET-3 bad: The newest');
  expect(table).toContain('expected: [ 2 ]');
  expect(table).toContain('It has no wire.');
});

test('every clause but FLT-5 has a case, and no two cases have the same name', () => {
  const tried = new Set(CASES.map(({ clause }) => clause));
  // FLT-5 speaks of stores that throttle; none of those here does.
  expect(CLAUSES.filter((clause) => !tried.has(clause))).toEqual(['FLT-5']);
  expect(CASES.filter(({ clause }) => !CLAUSES.includes(clause))).toEqual([]);
  const names = CASES.map(({ clause, title }) => `${clause} ${title}`);
  expect(new Set(names).size).toBe(names.length);
});
