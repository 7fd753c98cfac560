import { expect, test } from 'vitest';
import { machinePaths } from '../src/machine-paths.ts';
import { committedFiles } from '../src/repository.ts';

test('no file names a folder of a machine', () => {
  const files = committedFiles();
  expect(files.map(({ path }) => path)).toContain('package.json');
  expect(files.flatMap(machinePaths)).toEqual([]);
});

test('such folders are found, with their lines', () => {
  // Put together here, so that this file has none.
  const inFolder = (name: string) => `/${name}/x`;
  const lines = [
    ...['work', 'root', 'home', 'Users'].map((name) => `see ${inFolder(name)}`),
    `file://${inFolder('home')}`,
    ...['../root/x', '~/work/x', 'https://example.com/home/x', 'docs/work/x', '/workers/x'],
  ];
  expect(machinePaths({ path: 'a.md', text: lines.join('\n') })).toEqual(
    [1, 2, 3, 4, 5].map((line) => `a.md:${line}`),
  );
});
