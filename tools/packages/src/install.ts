import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expected } from './expected.ts';
import { run } from './run.ts';
import { usersEnvironment } from './users-environment.ts';
import { type Manifest, type Package, ROOT } from './workspace.ts';

/**
 * Installs a package, with its drivers and nothing else, into an empty folder, as its user would; what it needs of this
 * workspace comes from tarballs too.
 *
 * @param tarballs - by name
 * @returns the folder
 */
export async function install(
  { name, directory, manifest }: Package,
  { drivers }: Expected,
  tarballs: ReadonlyMap<string, string>,
  parent: string,
): Promise<string> {
  const folder = mkdtempSync(join(parent, 'user-'));
  const own = [name, ...Object.keys(manifest.dependencies ?? {})].filter((other) => tarballs.has(other));
  // A name that npm does not choose itself, for paths with `@` and `/` in them would be taken for something else.
  const files = own.map((other, at) => {
    const file = `package-${at}.tgz`;
    copyFileSync(tarballs.get(other)!, join(folder, file));
    return `./${file}`;
  });
  const versions = drivers.map((driver) => `${driver}@${versionOf(join(directory, 'node_modules', driver))}`);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const command = `npm install --prefer-offline ${[...files, ...versions].join(' ')}`;
  const { code, output } = await run(command, folder, usersEnvironment());
  if (code !== 0) throw new Error(`${command}\n${output}`);
  return folder;
}

/** In which version something is installed in the workspace. */
function versionOf(folder: string): string {
  const text = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as Manifest & { version: string }).version;
}
