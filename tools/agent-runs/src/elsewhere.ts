import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How another process builds the session: `new (await import(module))[name](options)`. */
export interface SessionElsewhere {
  /** The URL of a module. */
  readonly module: string;
  /** What the module calls the class. */
  readonly name: string;
  /** JSON: a connection cannot cross processes, what it is made from can. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Runs one of the scripts here in another process.
 *
 * @param input - what it reads
 * @param env - what it has in its environment beside this process's
 * @returns the JSON that it printed
 */
export async function scriptOf<T>(
  script: string,
  { module, name, options }: SessionElsewhere,
  input: string,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  const running = promisify(execFile)(
    process.execPath,
    ['--conditions=@sessions/source', join(import.meta.dirname, script), module, name],
    // Not as an argument, which everybody on the machine can read: a URL may hold a password.
    { env: { ...process.env, ...env, SESSION_OPTIONS: JSON.stringify(options) } },
  );
  running.child.stdin!.end(input);
  const { stdout } = await running;
  return JSON.parse(stdout) as T;
}
