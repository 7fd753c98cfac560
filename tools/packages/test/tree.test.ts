import { expect, test } from 'vitest';
import { type Tree, treeProblems } from '../src/tree.ts';

const EXPECTED = { drivers: ['driver'], brings: ['core', 'codec'], web: false, sizes: [] };

const TREE: Tree = {
  'node_modules/adapter': { dependencies: { core: '^1.0.0' }, peerDependencies: { driver: '^2.0.0' } },
  'node_modules/core': { dependencies: { codec: '^1.0.0' } },
  'node_modules/codec': {},
  'node_modules/driver': { dependencies: { pool: '^1.0.0' }, optionalDependencies: { native: '^1.0.0' } },
  'node_modules/pool': {},
  'node_modules/pool/node_modules/queue': {},
  'node_modules/native': { hasInstallScript: true },
};

test('a package alone with its driver has no problems, whatever the driver needs', () => {
  const pool = { dependencies: { queue: '^1.0.0' } };
  expect(treeProblems('adapter', EXPECTED, { ...TREE, 'node_modules/pool': pool })).toEqual([]);
});

test('what comes along is found', () => {
  expect(treeProblems('adapter', EXPECTED, TREE)).toEqual(['queue comes along']);
});

test('what does not come along is found', () => {
  const { 'node_modules/codec': _, 'node_modules/pool/node_modules/queue': __, ...tree } = TREE;
  expect(treeProblems('adapter', EXPECTED, tree)).toEqual(['codec does not come along']);
});

test('a second copy is found, and a script that runs when it is installed', () => {
  const { 'node_modules/pool/node_modules/queue': _, ...tree } = TREE;
  const twice = { ...tree, 'node_modules/adapter/node_modules/core': { hasInstallScript: true } };
  expect(treeProblems('adapter', EXPECTED, twice)).toEqual([
    'core is there 2 times',
    'core runs a script when it is installed',
  ]);
});
