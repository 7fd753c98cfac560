import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedisAdapter } from '../../packages/redis/test/adapter.ts';
import type { ProcessOpening, StartedAdapter } from '../src/index.ts';
import { raceCases } from '../src/races/race-cases.ts';
import { runCase } from '../src/run.ts';
import { open } from './torn-redis-process.ts';

let started: StartedAdapter;
beforeAll(async () => {
  started = await startRedisAdapter();
});
afterAll(() => started?.stop());

test.each([
  ['when its process is killed', 'killed in the midst', 'What the next process finds'],
  ['by a reader in another process', 'another process never sees', 'What another process reads meanwhile'],
])('a session that adds a batch in pieces is found out %s', async (_, words, who) => {
  const right = started.adapter.processes as ProcessOpening;
  const { url, prefix } = right.options as { url: string; prefix: string };
  // What the adapter deletes at its end begins with its own prefix.
  const options = { url, prefix: `${prefix}-torn-` };
  const module = new URL('./torn-redis-process.ts', import.meta.url).href;
  const torn = { ...started.adapter, open: () => open(options), processes: { ...right, module, options } };
  const finding = raceCases({ seed: 1 }).find(({ title }) => title.includes(words))!;
  expect(await runCase(torn, finding)).toMatchObject({
    status: 'failed',
    reason: `${who}: each batch is whole, and there once`,
  });
});
