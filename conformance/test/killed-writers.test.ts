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

test('a session that adds a batch in pieces is found out when its process is killed', async () => {
  const right = started.adapter.processes as ProcessOpening;
  const { url, prefix } = right.options as { url: string; prefix: string };
  // What the adapter deletes at its end begins with its own prefix.
  const options = { url, prefix: `${prefix}-torn-` };
  const module = new URL('./torn-redis-process.ts', import.meta.url).href;
  const torn = { ...started.adapter, open: () => open(options), processes: { ...right, module, options } };
  const killing = raceCases({ seed: 1 }).find(({ title }) => title.includes('killed in the midst'))!;
  expect(await runCase(torn, killing)).toMatchObject({
    status: 'failed',
    reason: 'What the next process finds: each batch is whole, and there once',
  });
});
