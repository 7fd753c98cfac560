import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from './workspace.ts';

/** What a package may hold. The sources are there for the maps, and for whoever follows a name to where it is defined. */
const MAY_BE_THERE = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^dist\/[\w/-]+(\.d\.ts|\.js)(\.map)?$/,
  /^src\/[\w/-]+\.ts$/,
];

/**
 * What is wrong with the files of a package as it was unpacked: too many, too few, built from sources that are gone, or
 * maps that lead nowhere.
 *
 * @param license - the text that it has to be under
 */
export function contentProblems(folder: string, license: string): string[] {
  const files = filesIn(folder);
  const problems = files
    .filter((file) => !MAY_BE_THERE.some((pattern) => pattern.test(file)) || /(^|\/)tests?\//.test(file))
    .map((file) => `${file} should not be in it`);
  if (!files.includes('README.md')) problems.push('README.md is missing');
  const own = join(folder, 'LICENSE');
  if (!existsSync(own) || readFileSync(own, 'utf8') !== license) {
    problems.push("LICENSE is not the repository's");
  }
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const missing of pointsNowhere(folder, file, text)) problems.push(`${file} points to ${missing}`);
    if (/^dist\/.*\.js$/.test(file) && !files.includes(sourceOf(file))) {
      problems.push(`${file} was built from a source that is gone: remove dist, build again`);
    }
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies });
  for (const [name, range] of ranges) {
    if (range.includes(':')) problems.push(`nobody outside the workspace can install ${name}@${range}`);
  }
  return problems;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

function sourceOf(file: string): string {
  return file.replace(/^dist/, 'src').replace(/\.js$/, '.ts');
}

/** What a file names, a map its sources and any other its map, that is not there. */
function pointsNowhere(folder: string, file: string, text: string): string[] {
  const named = file.endsWith('.map')
    ? (JSON.parse(text) as { sources: string[] }).sources
    : [...text.matchAll(/^\/\/# sourceMappingURL=(.+)$/gm)].map(([, url]) => url!);
  return named.filter((path) => !existsSync(join(folder, dirname(file), path)));
}
