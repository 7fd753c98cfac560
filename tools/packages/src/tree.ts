import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expected } from './expected.ts';

interface Installed {
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** What npm put into a folder, by where it put it. */
export type Tree = Readonly<Record<string, Installed>>;

export function readTree(folder: string): Tree {
  const text = readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Tree }).packages;
}

/** What came along with a package and its drivers that should not have, or did not come. */
export function treeProblems(name: string, { drivers, brings }: Expected, tree: Tree): string[] {
  const installed = Map.groupBy(Object.entries(tree), ([path]) => path.split('node_modules/').at(-1)!);
  const ofDrivers = reachable(drivers, installed);
  const came = [...installed.keys()].filter((other) => other !== name && !ofDrivers.has(other));
  const problems = [
    ...came.filter((other) => !brings.includes(other)).map((other) => `${other} comes along`),
    ...brings.filter((other) => !installed.has(other)).map((other) => `${other} does not come along`),
  ];
  for (const own of [name, ...brings]) {
    const versions = installed.get(own) ?? [];
    if (versions.length > 1) problems.push(`${own} is there ${versions.length} times`);
    if (versions.some(([, { hasInstallScript }]) => hasInstallScript)) {
      problems.push(`${own} runs a script when it is installed`);
    }
  }
  return problems;
}

/** What some packages need, at whatever depth. */
function reachable(
  names: readonly string[],
  installed: ReadonlyMap<string, readonly (readonly [string, Installed])[]>,
): Set<string> {
  const found = new Set(names);
  for (const name of found) {
    for (const [, needs] of installed.get(name) ?? []) {
      const needed = { ...needs.dependencies, ...needs.optionalDependencies, ...needs.peerDependencies };
      for (const next of Object.keys(needed)) found.add(next);
    }
  }
  return found;
}
