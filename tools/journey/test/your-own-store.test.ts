import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack } from '../../packages/src/pack.ts';
import { publishedPackages, ROOT } from '../../packages/src/workspace.ts';
import { Reader } from '../src/reader.ts';
import { runners } from '../src/runners.ts';
import { missingFrom } from '../src/shown.ts';
import { stepsOf } from '../src/steps.ts';

const DOCUMENT = 'docs/your-own-store.md';
/** What its reader installs. */
const INSTALLED = ['@sessions/core', '@sessions/conformance'];
const steps = stepsOf(readFileSync(join(ROOT, DOCUMENT), 'utf8'));

describe(`${DOCUMENT}, followed in an empty folder`, () => {
  const packages = mkdtempSync(join(tmpdir(), 'journey-packages-'));
  const folder = mkdtempSync(join(tmpdir(), 'journey-'));
  let reader: Reader;

  beforeAll(async () => {
    const chosen = publishedPackages().filter(({ name }) => INSTALLED.includes(name));
    reader = new Reader(folder, new Map([...(await pack(chosen, packages)), ...runners()]));
  }, 300_000);

  afterAll(() => {
    for (const made of [packages, folder]) rmSync(made, { recursive: true, force: true });
  });

  for (const step of steps) {
    const what = step.kind === 'run' ? step.command : `${step.kind} ${step.file}`;
    test(`${DOCUMENT}:${step.line} ${what}`, { timeout: 300_000 }, async () => {
      const ran = await reader.take(step);
      if (step.kind !== 'run' || !ran) return;
      expect(ran.code, ran.output).toBe(step.exitCode);
      if (step.shown !== undefined) expect(missingFrom(ran.output, step.shown), ran.output).toBeUndefined();
    });
  }
});

describe(`the files of ${DOCUMENT} are as short as it says`, () => {
  test.each([
    { file: 'store.mjs', below: 100 },
    { file: 'adapter.mjs', below: 30 },
    { file: 'map-adapter.mjs', below: 30 },
  ])('$file has fewer than $below lines', ({ file, below }) => {
    const texts = steps.filter((step) => step.kind === 'write').filter((step) => step.file === file);
    expect(texts).toHaveLength(1);
    const lines = texts[0]!.text.split('\n');
    expect(lines.length).toBeLessThan(below);
  });
});
