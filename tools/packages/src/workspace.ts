import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's folder. */
export const ROOT = join(import.meta.dirname, '../../..');

/** Of a `package.json`, what is looked at here. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly packageManager?: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly type?: string;
  readonly sideEffects?: unknown;
  readonly engines?: { readonly node?: string };
  readonly exports?: Exports;
  readonly bin?: unknown;
  readonly files?: readonly string[];
  readonly publishConfig?: { readonly exports?: Exports; readonly bin?: unknown };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** For each entry point its file, or one by condition. */
export type Exports = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** A package of the workspace. */
export interface Package {
  readonly name: string;
  /** Where it is in the repository. */
  readonly directory: string;
  readonly manifest: Manifest;
}

/** Reads the `package.json` of a folder of the repository. */
export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, directory, 'package.json'), 'utf8')) as Manifest;
}

/** Every package that is published: those of the workspace that are not private. */
export function publishedPackages(): Package[] {
  return workspaceFolders()
    .map((directory) => ({ directory, manifest: readManifest(directory) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ directory, manifest }) => ({ name: manifest.name, directory, manifest }));
}

function workspaceFolders(): string[] {
  const listed = readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8').matchAll(/^ {2}- ([\w./*-]+)$/gm);
  const folders = globSync(
    [...listed].map(([, pattern]) => pattern!),
    { cwd: ROOT },
  );
  return folders
    .map((folder) => folder.replaceAll('\\', '/'))
    .filter((folder) => existsSync(join(ROOT, folder, 'package.json')))
    .sort();
}
