import { PROTOCOL_VERSION } from '@sessions/core';
import { describe, expect, test } from 'vitest';
import { type ConformanceCase, promise } from '../src/case.ts';
import { ClauseBroken, same } from '../src/check.ts';
import {
  CASES,
  CLAUSES,
  type ConformanceAdapter,
  countResults,
  exitCodeOf,
  runCase,
  runConformance,
} from '../src/index.ts';
import { fakeAdapter, withSessions } from './fake-adapter.ts';

const kitHas = (text: string) => expect.stringContaining(text) as string;

describe('a case', () => {
  test('passes', async () => {
    const result = await runCase(
      fakeAdapter(),
      promise('ID-1', 'holds', async () => undefined),
    );
    expect(result).toEqual({ clause: 'ID-1', title: 'holds', status: 'passed', ms: result.ms });
  });

  test('fails with what was expected, what came back, its code and how to run it alone', async () => {
    const result = await runCase(
      fakeAdapter(),
      promise('ID-1', 'is "1"', async () => same(2, 1, 'The number')),
    );
    expect(result).toMatchObject({ status: 'failed', reason: 'The number', expected: '1', actual: '2' });
    expect(result.steps).toMatch(/^async \(\) => .*same\)?\(2, 1, ["']The number["']\)$/);
    expect(result.replay).toBe('npx sessions-conformance ./adapter.mjs --clause ID-1 --title "is \\"1\\""');
  });

  test('that generates what it tries fails with the seed, the path and the steps of what it found', async () => {
    const generating: ConformanceCase = {
      ...promise('GET-2', 'generated', async () => {
        const broken = new ClauseBroken('Not as the model', 1, 2);
        broken.generated = { seed: 9, path: 'GET-2:1:0', steps: 'a.popItem()', code: 'historyCases(…)' };
        throw broken;
      }),
      seed: 7,
      soak: true,
    };
    const command = 'npm run conformance -- mine';
    expect(await runCase(fakeAdapter(), generating, undefined, command)).toMatchObject({
      seed: 9,
      path: 'GET-2:1:0',
      steps: 'a.popItem()',
      replay: `${command} --clause GET-2 --title generated --seed 9 --path GET-2:1:0 --soak`,
    });
  });

  test('fails where a call fails that should not', async () => {
    const adapter = withSessions(() => ({ getItems: () => Promise.reject(new Error('not today')) }));
    const result = await runCase(
      adapter,
      promise('ID-1', 'reads', async (bench) => void (await (await bench.session()).getItems())),
    );
    expect(result).toMatchObject({ status: 'failed', actual: kitHas('not today') });
  });

  test('fails when it does not come to an end', async () => {
    const endless = promise('ID-1', 'ends', () => new Promise(() => undefined));
    const result = await runCase(fakeAdapter(), endless, 50);
    expect(result).toMatchObject({ status: 'failed', expected: 'an end within 50 ms' });
  });

  test('does not apply without what it needs, and says why', async () => {
    const run = () => Promise.reject(new Error('ran'));
    const wired = await runCase(fakeAdapter(), promise('FLT-1', 'x', run, 'wire'));
    expect(wired).toMatchObject({ status: 'not applicable', reason: 'It has no wire.' });
    const rewriting = await runCase(fakeAdapter(), promise('RWR-1', 'x', run, 'rewrites'));
    expect(rewriting).toMatchObject({ status: 'not applicable', reason: 'It cannot rewrite.' });
    const lifetimes = await runCase(fakeAdapter(), promise('TTL-1', 'x', run, 'lifetimes'));
    expect(lifetimes).toMatchObject({ status: 'not applicable' });
  });

  test('does not apply where the store cannot stand it, which is told apart', async () => {
    const run = () => Promise.reject(new Error('ran'));
    const gaps = [
      { clause: 'ORD-1', reason: 'It has no atomic writes.' },
      { clause: 'FLT-1', title: 'x', reason: 'It answers nobody.' },
    ] as const;
    const tried = (clause: 'ORD-1' | 'FLT-1', title: string) =>
      runCase(fakeAdapter({ gaps }), promise(clause, title, run));
    const told = { status: 'not applicable', isStores: true };
    expect(await tried('ORD-1', 'x')).toMatchObject({ ...told, reason: 'It has no atomic writes.' });
    expect(await tried('FLT-1', 'x')).toMatchObject({ ...told, reason: 'It answers nobody.' });
    expect(await tried('FLT-1', 'y')).toMatchObject({ status: 'failed' });
    const wired = await runCase(fakeAdapter({ gaps }), promise('FLT-2', 'x', run, 'wire'));
    expect(wired).toMatchObject({ status: 'not applicable', isStores: false });
  });

  test('for those without a capability is tried on them only', async () => {
    const stub = (without: 'rewrites' | 'expiry') => ({
      ...promise('RWR-1', 'x', async () => undefined),
      without,
    });
    expect(await runCase(fakeAdapter(), stub('rewrites'))).toMatchObject({ status: 'passed' });
    expect(await runCase(fakeAdapter(), stub('expiry'))).toMatchObject({ status: 'not applicable' });
  });

  test('ends everything that it opened', async () => {
    const closed: string[] = [];
    const session = { close: async () => void closed.push('session') } as never;
    const open = async () => ({ session: () => session, close: async () => void closed.push('connection') });
    await runCase(
      fakeAdapter({ open }),
      promise('ID-1', 'x', async (bench) => void (await bench.session())),
    );
    expect(closed).toEqual(['session', 'connection']);
  });

  test('says no more than can be read, and how long all of it was', async () => {
    const long = 'x'.repeat(3_000_000);
    const result = await runCase(
      fakeAdapter(),
      promise('ID-1', 'x', async () => same(long, [], 'The text')),
    );
    expect(result.actual!.length).toBeLessThan(5_000);
    expect(result.actual).toMatch(/x… \(cut here, of 3,000,000 characters\)$/);
  });
});

describe('whose fault it is', () => {
  const reading = promise('ID-1', 'x', async (bench) => {
    const session = await bench.session();
    return void ((await session.getItems()) as { content: string }[]).map(({ content }) => content);
  });

  test("an open() or a backdoor that throws is the adapter's", async () => {
    const open = () => Promise.reject(new Error('no connection'));
    expect(await runCase(fakeAdapter({ open }), reading)).toMatchObject({
      status: 'failed',
      reason: "The adapter's own open() failed",
      actual: kitHas('no connection'),
    });
    const backdoor = {
      plant: () => Promise.reject(new Error('no spade')),
      contents: async () => [],
      records: async () => [],
    };
    const planting = promise('POP-3', 'x', (bench) => bench.backdoor.plant('id', 'damaged'));
    expect(await runCase(fakeAdapter({ backdoor }), planting)).toMatchObject({
      status: 'failed',
      reason: "The adapter's own backdoor.plant() failed",
      actual: kitHas('no spade'),
    });
  });

  test('what comes from a session, or a case stumbles over, is not the kit either', async () => {
    const nothing = await runCase(
      withSessions(() => ({ getItems: async () => undefined })),
      reading,
    );
    expect(nothing).toMatchObject({ status: 'failed', actual: kitHas('TypeError') });
    const ranged = withSessions(() => ({ getItems: async () => new Array(-1) }));
    expect(await runCase(ranged, reading)).toMatchObject({ status: 'failed', actual: kitHas('RangeError') });
  });

  test('nor is a reason that the kit gave, thrown where it has no business', async () => {
    const grudge = withSessions(() => {
      let reason: unknown;
      const call = async (options: { signal?: AbortSignal } = {}) => {
        if (options.signal?.aborted) reason = options.signal.reason;
        if (reason) throw reason;
      };
      return {
        getItems: (_: unknown, options?: object) => call(options),
        addItems: (_: unknown, options?: object) => call(options),
        popItem: call,
        clearSession: call,
      };
    });
    const fired = CASES.find(({ title }) => title.startsWith('a signal that fired before the call'))!;
    expect(await runCase(grudge, fired)).toMatchObject({ status: 'failed', actual: kitHas('given up') });
  });

  test('what the code of the kit throws is an error of the kit', async () => {
    // A case that asks for the wire without saying so.
    const wrong = promise('FLT-1', 'x', async (bench) => void (await bench.proxy()));
    const result = await runCase(fakeAdapter(), wrong);
    expect(result).toMatchObject({
      status: 'kit error',
      reason: 'The kit itself failed; it says nothing of the adapter',
      actual: kitHas('ran without one'),
    });
  });

  test.each([
    ['gives nothing', () => undefined],
    ['gives null', () => null],
    ['has a close() that gives no promise', () => ({ close: () => undefined })],
    [
      'has a close() that throws',
      () => ({
        close: () => {
          throw new Error('x');
        },
      }),
    ],
  ])('a session() that %s does not end the kit', async (_, make) => {
    const result = await runCase(
      withSessions(make),
      promise('ID-1', 'x', async (bench) => {
        await bench.session();
        throw new ClauseBroken('seen', 1, 2);
      }),
    );
    expect(result).toMatchObject({ status: 'failed', reason: 'seen' });
  });
});

describe('a run', () => {
  const cases = [
    promise('ID-1', 'good', async () => undefined),
    promise('GET-3', 'bad', async () => same([1], [2], 'The newest')),
    promise('FLT-1', 'gap', async () => undefined, 'wire'),
  ];

  test('gives one result a case, and tells of each', async () => {
    const told: string[] = [];
    const report = await runConformance(fakeAdapter(), {
      cases,
      seed: 5,
      onStart: ({ title }) => told.push(title),
      onResult: ({ status }) => told.push(status),
    });
    expect(told).toEqual(['good', 'passed', 'bad', 'failed', 'gap', 'not applicable']);
    expect(countResults(report.results)).toEqual({
      passed: 1,
      failed: 1,
      'not applicable': 1,
      'kit error': 0,
    });
    expect(report).toMatchObject({
      adapter: 'fake',
      store: 'nowhere',
      nodeVersion: process.version,
      seed: 5,
      problems: [],
      gaps: [{ reason: 'It has no wire.', clauses: ['FLT-1'], cases: 1 }],
    });
    expect(report.protocolVersion).toBe(PROTOCOL_VERSION);
    expect(report.kitVersion).toMatch(/^\d+\.\d+\.\d+/);
    expect(new Date(report.startedAt).toISOString()).toBe(report.startedAt);
    expect(JSON.parse(JSON.stringify(report))).toEqual(JSON.parse(JSON.stringify({ ...report })));
  });

  test('selects cases by clause, and reports the seed that it chose', async () => {
    const report = await runConformance(fakeAdapter(), { clauses: ['ISO-1'] });
    expect(new Set(report.results.map(({ clause }) => clause))).toEqual(new Set(['ISO-1']));
    expect(Number.isSafeInteger(report.seed)).toBe(true);
    await expect(runConformance(fakeAdapter(), { title: 'no such' })).rejects.toThrow('no case');
  });

  test('comes to an exit code', async () => {
    const exit = async (adapter: ConformanceAdapter, ...some: ConformanceCase[]) =>
      exitCodeOf([await runConformance(adapter, { cases: some })]);
    const kitError = promise('FLT-1', 'x', async (bench) => void (await bench.proxy()));
    expect(await exit(fakeAdapter(), cases[0]!, cases[2]!)).toBe(0);
    expect(await exit(fakeAdapter(), cases[0]!, cases[1]!, kitError)).toBe(1);
    expect(await exit(fakeAdapter(), cases[0]!, kitError)).toBe(2);
    expect(await exit(fakeAdapter({ name: '' }), cases[0]!)).toBe(2);
  });
});

test('every clause has a case, and no two cases have the same name', () => {
  const tried = new Set(CASES.map(({ clause }) => clause));
  expect(CLAUSES.filter((clause) => !tried.has(clause))).toEqual([]);
  expect(CASES.filter(({ clause }) => !CLAUSES.includes(clause))).toEqual([]);
  const names = CASES.map(({ clause, title }) => `${clause} ${title}`);
  expect(new Set(names).size).toBe(names.length);
});
