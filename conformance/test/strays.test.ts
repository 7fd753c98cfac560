import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const KIT = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** Runs a module in a process of its own, since the runner here has a handler for rejections too. */
async function runAlone(source: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    ['--conditions=@sessions/source', '--input-type=module-typescript', '-e', source],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
    },
  );
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  child.stderr.on('data', (data) => {
    output += data;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

test('a promise that an adapter rejects and nobody holds fails the case, not the process', async () => {
  const { code, output } = await runAlone(`
    import { runCase } from ${JSON.stringify(KIT)};
    const adapter = { name: 'stray', store: '', capabilities: {}, wire: {}, backdoor: {} };
    const tried = { clause: 'ID-1', title: 'x', needs: [], run: async () => { Promise.reject(new Error('stray')); } };
    console.log(JSON.stringify(await runCase(adapter, tried)));
    process.exitCode = 7;
  `);
  expect(output).toContain('"status":"failed"');
  expect(output).toContain('nobody holds');
  expect(code).toBe(7);
});
