import { spawn } from 'node:child_process';

/** What a command came to. */
export interface Ran {
  readonly code: number | null;
  /** What it printed, to both. */
  readonly output: string;
  /** What it printed to its standard output. */
  readonly stdout: string;
}

/** Runs a command in a shell, in a folder. */
export async function run(
  command: string,
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Ran> {
  const child = spawn(command, { cwd: folder, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  return { code, output, stdout };
}
