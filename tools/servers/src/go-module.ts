import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheOf } from './cache.ts';
import { findOnPath } from './on-path.ts';
import { run } from './run.ts';

/** The program in a Go module, whose folder is given; built into the cache folder, under this name, if need be. */
export async function fromGoModule(folder: string, name: string): Promise<string> {
  const home = cacheOf(name);
  const program = join(home, 'program');
  if (existsSync(program)) return program;
  const go = findOnPath('go');
  await mkdir(home, { recursive: true });
  const fresh = join(home, `program.partial-${process.pid}`);
  try {
    await run([go, 'build', '-C', folder, '-o', fresh, '.'], 900_000);
    await rename(fresh, program);
  } finally {
    await rm(fresh, { force: true });
  }
  return program;
}
