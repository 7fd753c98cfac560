import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRedisAdapter } from '../../packages/redis/test/adapter.ts';
import { Bench } from '../src/bench.ts';
import type { ConformanceAdapter } from '../src/index.ts';
import { raceCases } from '../src/races/race-cases.ts';
import { runCase } from '../src/run.ts';
import type { StartedAdapter } from '../src/skins/vitest.ts';
import { openNaiveRedis } from './races-naive-redis.ts';

let started: StartedAdapter;
let naive: ConformanceAdapter;

beforeAll(async () => {
  started = await startRedisAdapter();
  const { wire, open } = started.adapter;
  const { backdoor } = new Bench(started.adapter);
  if ('unsupported' in wire) throw new Error(wire.unsupported);
  const connection = await open();
  const session = connection.session({ sessionId: 'first' });
  await session.addItems(['item']);
  await connection.close();
  // What the adapter deletes at its end begins with this, so that the other processes' sessions go with it.
  const [prefix] = /^conformance-[-0-9a-f]{36}/.exec((await backdoor.contents()).join('\n')) ?? [];
  const { host, port } = wire.address;
  const url = process.env.REDIS_URL ?? `redis://${host}:${port}`;
  naive = {
    ...started.adapter,
    capabilities: { ...started.adapter.capabilities, transactions: { unsupported: 'It is naive.' } },
    async open(address) {
      const through = new URL(url);
      if (address) through.host = `${address.host}:${address.port}`;
      return openNaiveRedis(through.href, `${prefix}-naive-`);
    },
  };
});

afterAll(() => started?.stop());

describe('a naive session, of one Redis command a call,', () => {
  // One round in eight or so goes well by chance.
  const cases = raceCases({ rounds: 10 });
  const clients = cases.find(({ title }) => title.startsWith('what six clients'));
  const storm = cases.find(({ title }) => title.startsWith('in a storm'));

  test('has one order as long as nothing breaks', async () => {
    expect(await runCase(naive, clients!)).toMatchObject({ status: 'passed' });
  });

  test('does things twice in a storm', async () => {
    expect(await runCase(naive, storm!)).toMatchObject({
      status: 'failed',
      reason: 'No one order explains what these calls returned',
    });
  });
});
