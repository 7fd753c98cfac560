import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const PROGRAM = join(import.meta.dirname, '../src/bin.ts');

/** Halves the time of each start, of which there are a hundred. */
const CACHE = join(import.meta.dirname, '../node_modules/.cache/compiled');

/** What would show in the outcome: Node.js has no colours for most CI. NODE_PATH is set by pnpm, and leads to all packages of the workspace. */
const OF_THE_TESTERS = new Set([
  'CI',
  'FORCE_COLOR',
  'LESS',
  'NODE_DISABLE_COLORS',
  'NODE_PATH',
  'NO_COLOR',
  'PAGER',
  'TEAMCITY_VERSION',
  'TF_BUILD',
]);

export interface Surroundings {
  /** What the program reads; nothing if left out. */
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another copy of the program. */
  readonly program?: string;
  /** What it is started by, such as {@link TERMINAL}; the arguments follow. */
  readonly by?: readonly string[];
}

/** What a process came to. */
export interface Ending {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the real program, on pipes. */
export function startProgram(
  args: readonly string[],
  { env, cwd, by = [], program = PROGRAM }: Surroundings = {},
) {
  const node = [process.execPath, '--conditions=@sessions/source', program];
  const [file, ...rest] = [...by, ...node, ...args] as [string, ...string[]];
  const own = Object.entries(process.env).filter(([name]) => !OF_THE_TESTERS.has(name));
  const all = { ...Object.fromEntries(own), NODE_COMPILE_CACHE: CACHE, TERM: 'xterm-256color', ...env };
  return spawn(file, rest, { stdio: 'pipe', cwd, env: all });
}

/** Runs the real program to its end. */
export async function runProgram(args: readonly string[], surroundings: Surroundings = {}): Promise<Ending> {
  const child = startProgram(args, surroundings);
  child.stdin.on('error', () => undefined).end(surroundings.stdin ?? '');
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}
