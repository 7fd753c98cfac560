import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { contentProblems } from '../src/contents.ts';

const LICENSE = 'Do as you like.\n';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contents-'));
  write('package.json', '{ "dependencies": { "@sessions/core": "^1.0.0" } }');
  write('README.md', '# A package\n');
  write('LICENSE', LICENSE);
  write('src/a.ts', 'export {};\n');
  write('dist/a.js', 'export {};\n//# sourceMappingURL=a.js.map');
  write('dist/a.js.map', '{ "sources": ["../src/a.ts"] }');
  write('dist/a.d.ts', 'export {};\n');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

test('a package that holds what it should has no problems', () => {
  expect(contentProblems(folder, LICENSE)).toEqual([]);
});

test.each([
  'tsconfig.tsbuildinfo',
  'dist/tsconfig.tsbuildinfo',
  'src/a.test.ts',
  'test/a.ts',
  'src/test/a.ts',
  'reports/vitest.json',
  '.env',
])('%s should not be in it', (file) => {
  write(file, '');
  expect(contentProblems(folder, LICENSE)).toEqual([`${file} should not be in it`]);
});

test('a map that leads nowhere is found, and one that is not there', () => {
  write('dist/a.js.map', '{ "sources": ["../src/gone.ts"] }');
  write('dist/a.d.ts', 'export {};\n//# sourceMappingURL=a.d.ts.map');
  expect(contentProblems(folder, LICENSE)).toEqual([
    'dist/a.d.ts points to a.d.ts.map',
    'dist/a.js.map points to ../src/gone.ts',
  ]);
});

test('what was built from a source that is gone is found', () => {
  write('dist/b.js', 'export {};\n');
  expect(contentProblems(folder, LICENSE)).toEqual([
    'dist/b.js was built from a source that is gone: remove dist, build again',
  ]);
});

test('another licence is found, a missing one, a missing README.md', () => {
  expect(contentProblems(folder, 'Another one.\n')).toEqual(["LICENSE is not the repository's"]);
  rmSync(join(folder, 'LICENSE'));
  rmSync(join(folder, 'README.md'));
  expect(contentProblems(folder, LICENSE)).toEqual([
    'README.md is missing',
    "LICENSE is not the repository's",
  ]);
});

test('a dependency that only the workspace has is found', () => {
  write('package.json', '{ "dependencies": { "@sessions/core": "workspace:^" } }');
  expect(contentProblems(folder, LICENSE)).toEqual([
    'nobody outside the workspace can install @sessions/core@workspace:^',
  ]);
});
