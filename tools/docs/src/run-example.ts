import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Example } from './example.ts';
import { inDocuments, writeExamples } from './example-files.ts';
import { startFor } from './readers-servers.ts';

const LONGEST_RUN_MS = 30_000;

/** How a run ended. */
export interface Run {
  /** What the process exited with; `null` if it had to be ended. */
  readonly code: number | null;
  /** All that it wrote. */
  readonly output: string;
}

/** Runs an example as a reader would, with real servers in the place of the reader's. */
export async function runExample(example: Example): Promise<Run> {
  await using servers = await startFor(example.text);
  return await runAlone({ ...example, text: servers.text }, servers.env);
}

async function runAlone(example: Example, env: Readonly<Record<string, string>>): Promise<Run> {
  using files = writeExamples([example]);
  const child = spawn(process.execPath, ['--conditions=@sessions/source', ...files.paths], {
    cwd: files.folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_RUN_MS,
    killSignal: 'SIGKILL',
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, output: inDocuments(out + err) };
}
