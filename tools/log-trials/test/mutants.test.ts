import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { MUTANTS } from '../src/mutants.ts';
import { LOG, without } from '../src/mutate.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

test('every guard stands in the log as it is now', () => {
  for (const mutant of MUTANTS) without(mutant, readFileSync(new URL(mutant.file, LOG), 'utf8'));
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

// One that does not compile fails whatever it is without, and shows nothing.
test('the log compiles without each of them', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'logs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = fileURLToPath(LOG);
  for (const [number, mutant] of MUTANTS.entries()) {
    const own = join(folder, String(number));
    mkdirSync(own);
    for (const file of readdirSync(log)) {
      const source = readFileSync(join(log, file), 'utf8');
      const mutated = file === mutant.file ? without(mutant, source) : source;
      writeFileSync(join(own, file), mutated.replaceAll("'../", `'${join(log, '../')}`));
    }
  }
  const config = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { noEmit: true, rewriteRelativeImportExtensions: false },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const mistakes = stdout.replace(/^(\d+)\//gm, (_, number) => `${MUTANTS[Number(number)]!.name}: `);
  expect(mistakes + stderr).toBe('');
  expect(status).toBe(0);
});
