import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cacheOf } from './cache.ts';
import { findOnPath } from './on-path.ts';
import { run } from './run.ts';

/** A program of a pinned crate, built into the cache folder if need be. */
export async function fromCrate(crate: string, version: string, binary: string): Promise<string> {
  const home = cacheOf(`${crate}-${version}`);
  const program = join(home, 'bin', binary);
  if (existsSync(program)) return program;
  const cargo = findOnPath('cargo');
  await mkdir(resolve(home, '..'), { recursive: true });
  const fresh = await mkdtemp(`${home}.partial-`);
  try {
    const pinned = [crate, '--version', version, '--locked', '--ignore-rust-version'];
    await run([cargo, 'install', ...pinned, '--root', fresh, '--quiet'], 1_800_000);
    // Another process may have built it too: the first to rename wins, and nobody sees half an installation.
    await rename(fresh, home).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return program;
}
