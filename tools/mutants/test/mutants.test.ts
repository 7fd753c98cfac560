import { CASES, CLAUSES, runCase, type StartedAdapter } from '@sessions/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMemoryAdapter } from '../../../packages/memory/test/adapter.ts';
import { withCompaction } from '../../../packages/openai/test/compaction-adapter.ts';
import { withConversations } from '../../../packages/openai/test/conversations-part.ts';
import type { Mutant } from '../src/mutant.ts';
import { MUTANTS } from '../src/mutants.ts';
import { mutate } from '../src/mutate.ts';
import { type Client, PlainConversations } from '../src/plain-conversations.ts';
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
  const started: Partial<Record<Mutant['over'], StartedAdapter>> = {};
  beforeAll(async () => {
    started.memory = await startMemoryAdapter();
    started.compaction = await withCompaction(startMemoryAdapter);
    started.conversations = await withConversations(startMemoryAdapter);
  });
  afterAll(() => Promise.all(Object.values(started).map(({ stop }) => stop())));

  for (const mutant of MUTANTS.filter(({ over }) => over !== 'redis')) {
    test(`${mutant.clause}: ${mutant.name}`, async () => {
      expect(await tryMutant(started[mutant.over]!.adapter, mutant)).toMatchObject({ outcome: 'killed' });
    });
  }
});

test('the session that wrong ones over the Conversations API are made of keeps every clause of CONV itself', async () => {
  const { adapter, stop } = await withConversations(startMemoryAdapter);
  const plain = mutate(adapter, {
    conversations: (client, wish) => new PlainConversations(client as unknown as Client, wish),
  });
  for (const tried of CASES.filter(({ clause }) => clause.startsWith('CONV-'))) {
    expect(await runCase(plain, tried)).toMatchObject({ status: 'passed' });
  }
  await stop();
});
