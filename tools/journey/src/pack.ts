import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

/** The repository's folder. */
export const ROOT = join(import.meta.dirname, '../../..');

/** What a reader installs, by name; dependencies come first, for a package is built from what those before it built. */
const PACKAGES = { '@sessions/core': 'packages/core', '@sessions/conformance': 'conformance' };

/** Runners in the versions that are tried here, so that a release of theirs does not change what the tests say. */
export function runners(): Map<string, string> {
  const { devDependencies = {} } = manifest('.');
  const { dependencies = {} } = manifest('tools/skins');
  return new Map([
    ['vitest', `vitest@${devDependencies.vitest}`],
    ['jest', `'jest@${dependencies.jest}'`],
  ]);
}

interface Manifest {
  readonly packageManager: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

/** Builds and packs the packages as they would be published. Returns for each name its tarball. */
export async function pack(folder: string): Promise<Map<string, string>> {
  const { packageManager } = manifest('.');
  const tarballs = new Map<string, string>();
  for (const [name, path] of Object.entries(PACKAGES)) {
    const before = readdirSync(folder);
    const { code, output } = await run(
      `npx --yes ${packageManager} pack --pack-destination '${folder}'`,
      join(ROOT, path),
    );
    const [tarball] = readdirSync(folder).filter((file) => !before.includes(file));
    if (code !== 0 || tarball === undefined) throw new Error(`${name} cannot be packed:\n${output}`);
    tarballs.set(name, join(folder, tarball));
  }
  return tarballs;
}
