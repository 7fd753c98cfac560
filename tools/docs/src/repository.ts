import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's folder. */
export const ROOT = join(import.meta.dirname, '../../..');

/** A file of the repository. */
export interface TextFile {
  /** Its path in the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Everything that people are given to read. */
export function documents(): TextFile[] {
  return files([
    ...['*.md', 'docs/**/*.md', 'packages/*/README.md', 'conformance/README.md'],
    ...['examples/README.md', 'examples/*/README.md', 'tools/*/README.md', 'tools/*/src/*/README.md'],
  ]);
}

/** The sources that cite the protocol. */
export function citingSources(): TextFile[] {
  return files(['packages/*/src/**/*.ts', 'conformance/src/**/*.ts']);
}

/** All that is in git, or would be after `git add`: a new file should be looked at before it is committed. */
export function committedFiles(): TextFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = [...new Set(listed.split('\0'))].filter((path) => path && existsSync(join(ROOT, path)));
  return paths.map(read);
}

/** The scripts that `npm run` and `pnpm` find in the repository's folder. */
export function rootScripts(): string[] {
  const { scripts } = JSON.parse(read('package.json').text) as { scripts: Record<string, string> };
  return Object.keys(scripts);
}

function files(patterns: string[]): TextFile[] {
  return globSync(patterns, { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map(read);
}

function read(path: string): TextFile {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}
