import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Wanted } from './tried/wanted.ts';

const RUNNERS = {
  vitest: [
    '../../node_modules/vitest/vitest.mjs',
    'run',
    '--config=test/tried/vitest.config.ts',
    '--reporter=verbose',
  ],
  'node:test': [
    '--conditions=@sessions/source',
    '--test',
    '--test-reporter=spec',
    'test/tried/wanted.node.ts',
  ],
  Jest: [
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--testMatch=**/tried/*.jest.ts',
    '--verbose',
  ],
};

describe.each(Object.entries(RUNNERS))('%s', (_, runner) => {
  test('is told which clause an adapter breaks, what was expected and what came', async () => {
    const { code, output } = await run(runner, {
      adapter: 'ignores limits',
      selection: { clauses: ['GET-3'] },
    });
    expect(output).toMatch(/FAILED GET-3 the newest N, oldest first/);
    expect(output).toMatch(/expected: .*\n?.*m9/);
    expect(output).toMatch(/actual: {3}.*\n?.*m0/);
    expect(code).toBe(1);
  });

  test('is told why a case does not apply, and does not fail for it', async () => {
    const selection = { clauses: ['RWR-1'] } as const;
    const { code, output } = await run(runner, { adapter: 'ignores limits', selection });
    expect(output).toMatch(/RWR-1 an adapter without rewrites .*The adapter has this capability/);
    expect(output).toMatch(/\b1 skipped|skipped 1\b/);
    expect(code).toBe(0);
  });

  test('has nothing against data that the engine made', async () => {
    const selection = { clauses: ['GET-2', 'GET-3', 'VAL-2'] } as const;
    const { code, output } = await run(runner, { adapter: 'clones what it gives', selection });
    expect(output).not.toContain('FAILED');
    expect(code).toBe(0);
  });

  test('fails where the adapter does not start', async () => {
    const { code, output } = await run(runner, { adapter: 'does not start', selection: {} });
    expect(output).toContain('The adapter did not start: no such server');
    expect(code).toBe(1);
  });

  test('fails where nothing is selected', async () => {
    const { code, output } = await run(runner, {
      adapter: 'ignores limits',
      selection: { title: 'no such' },
    });
    expect(output).toContain('The kit has no case with the title "no such"');
    expect(code).toBe(1);
  });
});

/** Runs the tests that are wanted with a runner, in a process of its own. */
async function run(runner: string[], wanted: Wanted): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, runner, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...environment(), WANTED: JSON.stringify(wanted) },
  });
  let output = '';
  const add = (data: Buffer) => {
    output += data;
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

/** Without what this runner tells its own workers. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_|TEST$|FORCE_COLOR)/.test(name),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}
