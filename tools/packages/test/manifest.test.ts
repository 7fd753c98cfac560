import { expect, test } from 'vitest';
import { EXPECTED } from '../src/expected.ts';
import { manifestProblems } from '../src/manifest.ts';
import { type Manifest, publishedPackages, readManifest } from '../src/workspace.ts';

const published = publishedPackages();
const root = readManifest('.');

test('every published package is known here, and nothing else', () => {
  expect(published.map(({ name }) => name).sort()).toEqual(Object.keys(EXPECTED).sort());
});

test.each(published)('the package.json of $name is complete', (one) => {
  expect(manifestProblems(one, root)).toEqual([]);
});

test.each<keyof Manifest>([
  ...(['repository', 'homepage', 'bugs', 'license', 'type', 'sideEffects', 'engines', 'files'] as const),
  ...(['description', 'keywords', 'exports', 'publishConfig', 'scripts'] as const),
])('a package.json without `%s` is not', (field) => {
  const one = published.find(({ name }) => name === '@sessions/redis')!;
  const { [field]: _, ...manifest } = one.manifest;
  expect(manifestProblems({ ...one, manifest: manifest as Manifest }, root).join()).toContain(`\`${field}`);
});

test('what is published may differ from the workspace by the sources alone', () => {
  const one = published.find(({ name }) => name === '@sessions/core')!;
  const exports = { ...one.manifest.exports };
  delete exports['./store'];
  const manifest = { ...one.manifest, publishConfig: { exports } };
  expect(manifestProblems({ ...one, manifest }, root).join()).toContain('`publishConfig.exports` is');
});
