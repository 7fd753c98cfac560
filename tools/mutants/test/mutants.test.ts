import { CLAUSES } from '@sessions/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMemoryAdapter } from '../../../packages/memory/test/adapter.ts';
import { MUTANTS } from '../src/mutants.ts';
import { tryMutant } from '../src/trial.ts';

test('each clause of the kit has a mutant that breaks it', () => {
  const broken = new Set(MUTANTS.map(({ clause }) => clause));
  expect(CLAUSES.filter((clause) => !broken.has(clause))).toEqual([]);
});

test('there are at least 60 mutants, each with a name of its own', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

describe('the kit finds, by a case of the same clause,', () => {
  let started: Awaited<ReturnType<typeof startMemoryAdapter>>;
  beforeAll(async () => {
    started = await startMemoryAdapter();
  });
  afterAll(() => started.stop());

  for (const mutant of MUTANTS.filter(({ over }) => over === 'memory')) {
    test(`${mutant.clause}: ${mutant.name}`, async () => {
      expect(await tryMutant(started.adapter, mutant)).toMatchObject({ outcome: 'killed' });
    });
  }
});
