import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const TSC = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin', 'tsc');

test('where the official SDK is not installed, an item is any record, and nothing but a record', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-item-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  copyFileSync(new URL('../src/agent-item.ts', import.meta.url), join(folder, 'agent-item.ts'));
  writeFileSync(
    join(folder, 'use.ts'),
    `import type { AgentItem } from './agent-item.ts';
     export const record: AgentItem = { role: 'user', content: 'Hello' };
     // @ts-expect-error a number is no record
     export const number: AgentItem = 5;
     // @ts-expect-error what a property holds is not known
     export const deep = record.content.length;`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions'];
  const { status, stdout } = spawnSync(process.execPath, [TSC, ...options, 'use.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
