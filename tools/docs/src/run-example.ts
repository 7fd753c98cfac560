import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startRedis } from '@sessions/servers';
import type { Example } from './example.ts';
import { inDocuments, writeExamples } from './example-files.ts';

/** What documents call the reader's server. */
const READERS_REDIS = 'redis://localhost:6379';

const LONGEST_RUN_MS = 30_000;

/** How a run ended. */
export interface Run {
  /** What the process exited with; `null` if it had to be ended. */
  readonly code: number | null;
  /** All that it wrote. */
  readonly output: string;
}

/** Runs an example as a reader would, with a real server in the place of the reader's. */
export async function runExample(example: Example): Promise<Run> {
  const server = example.text.includes(READERS_REDIS) ? await startRedis() : undefined;
  try {
    const code = server ? example.text.replaceAll(READERS_REDIS, server.url) : example.text;
    return await runAlone({ ...example, text: code });
  } finally {
    await server?.stop();
  }
}

async function runAlone(example: Example): Promise<Run> {
  using files = writeExamples([example]);
  const child = spawn(process.execPath, ['--conditions=@sessions/source', ...files.paths], {
    cwd: files.folder,
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
