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

test.each([
  ['a promise that an adapter rejects and nobody holds', 'Promise.reject(new Error("stray"))'],
  [
    'an event of an error that nobody hears',
    'setTimeout(() => new EventEmitter().emit("error", new Error("stray")))',
  ],
])('%s fails the case, not the process', async (_, stray) => {
  const { code, output } = await runAlone(`
    import { EventEmitter } from 'node:events';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { runCase } from ${JSON.stringify(KIT)};
    const adapter = { name: 'stray', store: '', capabilities: {}, wire: {}, backdoor: {} };
    const tried = { clause: 'ID-1', title: 'x', needs: [], run: async () => { ${stray}; await sleep(20); } };
    console.log(JSON.stringify(await runCase(adapter, tried)));
    process.exitCode = 7;
  `);
  expect(output).toContain('"status":"failed"');
  expect(output).toContain('nobody holds');
  expect(code).toBe(7);
});
