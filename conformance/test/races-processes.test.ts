import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMemoryAdapter } from '../../packages/memory/test/adapter.ts';
import type { ConformanceAdapter } from '../src/adapter.ts';
import type { ProcessOpening } from '../src/races/process-opening.ts';
import { raceCases } from '../src/races/race-cases.ts';
import { RaceProcess } from '../src/races/race-process.ts';
import { runCase } from '../src/run.ts';

const MEMORY: ProcessOpening = {
  module: new URL('./races-memory-process.ts', import.meta.url).href,
  options: null,
  execArgv: ['--conditions=@sessions/source'],
};

describe('another process', () => {
  let other: RaceProcess;
  beforeEach(async () => {
    other = await RaceProcess.start(MEMORY, 'shared', ['a', 'b']);
  });
  afterEach(() => other.end());

  test('makes calls on one session for all its racers', async () => {
    const [a, b] = other.racers;
    expect([a!.name, b!.name]).toEqual(['a', 'b']);
    expect(await a!.perform({ kind: 'add', items: ['a1', 'a10'] })).toEqual({ kind: 'done' });
    expect(await b!.perform({ kind: 'read' })).toEqual({ kind: 'read', items: ['a1', 'a10'] });
    expect(await b!.perform({ kind: 'read', limit: 1 })).toEqual({ kind: 'read', items: ['a10'] });
    const mismatch = { kind: 'replace', operationId: '1', expected: ['x1'], replacement: [] } as const;
    expect(await a!.perform(mismatch)).toEqual({ kind: 'mismatch' });
    expect(await a!.perform({ ...mismatch, expected: ['a10'] })).toEqual({ kind: 'done' });
    expect(await a!.perform({ kind: 'pop' })).toMatchObject({ kind: 'popped', item: 'a1' });
    expect(await a!.perform({ kind: 'append', operationId: '2', items: ['a2'] })).toEqual({ kind: 'done' });
    expect(await b!.perform({ kind: 'clear' })).toEqual({ kind: 'done' });
    expect(await b!.perform({ kind: 'pop' })).toEqual({ kind: 'popped' });
  });

  test('says what went wrong there', async () => {
    const wrong = other.racers[0]!.perform({ kind: 'append', operationId: ' ', items: [] });
    await expect(wrong).rejects.toMatchObject({ thrown: expect.stringContaining('SessionError') as string });
  });

  test('leaves the calls without an outcome that it was killed in', async () => {
    const calling = other.racers[0]!.perform({ kind: 'read' });
    other.kill();
    // Its answer may have been on the way.
    expect(['unknown', 'read']).toContain((await calling).kind);
    await other.end();
    expect(await other.racers[0]!.perform({ kind: 'read' })).toEqual({ kind: 'unknown' });
  });
});

test.each([
  ['that cannot open the store', 'throw new Error("no store")', 'no store'],
  ['that ends', 'process.exit(3)', 'it ended with 3'],
])('a process %s is an error, and does not stay', async (_, body, message) => {
  const module = `data:text/javascript,export const open = async () => { ${body} }`;
  await expect(RaceProcess.start({ ...MEMORY, module }, 'shared', ['a'])).rejects.toMatchObject({
    thrown: expect.stringContaining(message) as string,
  });
});

test('a session that each process has for itself is found out', async () => {
  const { adapter } = await startMemoryAdapter();
  const racing: ConformanceAdapter = { ...adapter, processes: MEMORY };
  const cases = raceCases({ rounds: 1 }).filter(({ title }) => /process/.test(title));
  for (const tried of cases) {
    expect(await runCase(racing, tried)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^No one order explains|^What (the next|another) process/) as string,
    });
  }
  expect(cases.length).toBe(5);
});
