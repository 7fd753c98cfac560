import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentProblems } from './contents.ts';
import { EXPECTED } from './expected.ts';
import { install } from './install.ts';
import { publintProblems, typeProblems } from './lint.ts';
import { manifestProblems } from './manifest.ts';
import { programFor } from './program.ts';
import { measure, type Size, sizeProblems } from './size.ts';
import { readTree, treeProblems } from './tree.ts';
import { nodeProblems } from './use-in-node.ts';
import { typescriptProblems } from './use-in-typescript.ts';
import { webProblems } from './use-on-the-web.ts';
import { type Package, ROOT, readManifest } from './workspace.ts';

/** What a package is looked at for. */
export const CHECKS = [
  'package.json',
  'files',
  'publint',
  'types',
  'alone',
  'Node.js',
  'TypeScript',
  'web',
  'size',
] as const;

export type Check = (typeof CHECKS)[number];

/** What became of a package. */
export interface Verdict {
  readonly name: string;
  /** For each check what is wrong; a check that does not apply is missing. */
  readonly problems: ReadonlyMap<Check, readonly string[]>;
  readonly sizes: readonly Size[];
  /** How many packages its user has installed afterwards, with the drivers. */
  readonly installed: number;
}

/**
 * Installs a package as its user would, and looks at everything about it.
 *
 * @param tarballs - by name
 * @param parent - for the folders of its users
 */
export async function check(
  checked: Package,
  tarballs: ReadonlyMap<string, string>,
  parent: string,
): Promise<Verdict> {
  const { name } = checked;
  const expected = EXPECTED[name];
  if (!expected) throw new Error(`src/expected.ts does not say what a user of ${name} gets`);
  const tarball = tarballs.get(name)!;
  const user = await install(checked, expected, tarballs, parent);
  const folder = join(user, 'node_modules', name);
  const program = programFor(checked);
  const tree = readTree(user);
  const sizes = await measure(name, user, expected);
  const problems = new Map<Check, readonly string[]>([
    ['package.json', manifestProblems(checked, readManifest('.'))],
    ['files', contentProblems(folder, readFileSync(join(ROOT, 'LICENSE'), 'utf8'))],
    ['publint', await publintProblems(folder)],
    ['alone', treeProblems(name, expected, tree)],
    ['Node.js', await nodeProblems(user, program)],
    ['TypeScript', await typescriptProblems(user, program, expected.web)],
  ]);
  if (checked.manifest.exports?.['.']) problems.set('types', await typeProblems(tarball));
  if (sizes.length > 0) problems.set('size', sizeProblems(sizes));
  if (expected.web) problems.set('web', await webProblems(user, program));
  return { name, problems, sizes, installed: Object.keys(tree).length };
}
