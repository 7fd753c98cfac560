import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { filterProblems } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** What publint says of a package that was installed, where all files are published ones; down to its suggestions. */
export async function publintProblems(folder: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/**
 * What arethetypeswrong says of a tarball, but for two things: `node10`, a way of resolving that knows no `exports` and that
 * TypeScript gives up; and that `require` leads to ES modules, which every Node.js that is supported can load.
 */
export async function typeProblems(tarball: string): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (result.types === false) return ['arethetypeswrong: it has no types'];
  const seen = (['node16-cjs', 'node16-esm', 'bundler'] as const).flatMap((resolutionKind) => {
    return filterProblems(result, { resolutionKind });
  });
  const problems = new Set<Problem>(seen.filter(({ kind }) => kind !== 'CJSResolvesToESM'));
  return [...problems].map((problem) => `arethetypeswrong: ${JSON.stringify(problem)}`);
}
