import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Example } from './example.ts';
import { inDocuments, writeExamples } from './example-files.ts';
import { ROOT } from './repository.ts';

/** The file that `tsc` starts. */
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/**
 * Compiles all examples at once, with the repository's own settings.
 *
 * @returns for each mistake the document, the line, the column and what the compiler says of it
 */
export function compile(examples: readonly Example[]): string[] {
  if (examples.length === 0) return [];
  using files = writeExamples(examples);
  const { folder, paths } = files;
  const config = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { noEmit: true, types: ['node'] },
    files: paths,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout, stderr } = spawnSync(process.execPath, [TSC, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  // What is said of a mistake goes on in lines that are moved to the right.
  const mistakes = stdout.split(/\n(?! )/).filter((mistake) => mistake.trim() !== '');
  if (status !== 0 && mistakes.length === 0) throw new Error(`tsc ended with ${status}: ${stderr}`);
  return mistakes
    .map((mistake) => inDocuments(mistake).replace(/^(.+?)\((\d+),(\d+)\): /, '$1:$2:$3: '))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
