import { readManifest } from '../../packages/src/workspace.ts';

/** Runners in the versions that are tried here, so that a release of theirs does not change what the tests say. */
export function runners(): Map<string, string> {
  const { devDependencies = {} } = readManifest('.');
  const { dependencies = {} } = readManifest('tools/skins');
  return new Map([
    ['vitest', `vitest@${devDependencies.vitest}`],
    ['jest', `'jest@${dependencies.jest}'`],
  ]);
}
