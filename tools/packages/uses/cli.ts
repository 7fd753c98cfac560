import { spawnSync } from 'node:child_process';

/** Nobody listens there, and the adapter is not installed. */
const NOWHERE = 'redis://127.0.0.1:1';

function sessions(...args: string[]): { status: number | null; output: string } {
  const command = ['node_modules/@sessions/cli/dist/bin.js', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

export async function use(): Promise<void> {
  const help = sessions('--help');
  if (help.status !== 0 || !help.output.startsWith('usage: sessions')) throw new Error(help.output);
  const shown = sessions('show', NOWHERE, 'user-42');
  if (shown.status !== 1 || !shown.output.includes('npm install @sessions/redis ioredis')) {
    throw new Error(shown.output);
  }
}
