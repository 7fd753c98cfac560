import { startRedisCluster } from '@sessions/servers';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RedisSession } from '../src/index.ts';
import { freshId, message } from './server.ts';

let running: Awaited<ReturnType<typeof startRedisCluster>>;
let cluster: Cluster;

beforeAll(async () => {
  running = await startRedisCluster();
  cluster = new Cluster(running.nodes.map(({ host, port }) => ({ host, port })));
});
afterAll(async () => {
  cluster?.disconnect();
  await running?.stop();
});

const IDS = ['a', 'a{b}c', '{}', '}{', '{', 'x'.repeat(1_000), 'é', '{user}:1', '\ud800'];

async function allKeys(): Promise<string[]> {
  const found = await Promise.all(cluster.nodes('master').map((node) => node.keys('*')));
  return found.flat();
}

test('all keys of a session are in one hash slot, whatever its id and prefix', async () => {
  for (const prefix of ['sessions', '', 'app{1}', '{}', '}']) {
    for (const id of IDS) {
      const before = new Set(await allKeys());
      const session = new RedisSession<object>({ sessionId: freshId() + id, prefix, client: cluster });
      await session.addItems([message(0), message(1), message(2)]);
      await session.applyHistoryTransaction({
        operationId: 'a',
        transaction: { type: 'replace_suffix', expectedSuffix: [message(2)], replacement: [message(3)] },
      });
      expect(await session.popItem()).toEqual(message(3));
      expect(await session.getItems()).toEqual([message(0), message(1)]);
      const keys = (await allKeys()).filter((key) => !before.has(key));
      expect(keys.length).toBeGreaterThanOrEqual(5);
      const slots = await Promise.all(keys.map((key) => cluster.cluster('KEYSLOT', key)));
      expect(new Set(slots).size, keys.join()).toBe(1);
    }
  }
});

test('sessions spread over the nodes', async () => {
  const sizes = async () => Promise.all(cluster.nodes('master').map((node) => node.dbsize()));
  for (let count = 0; count < 60; count++) {
    await new RedisSession<object>({ sessionId: freshId(), client: cluster }).addItems([message(0)]);
  }
  expect(Math.min(...(await sizes()))).toBeGreaterThan(10);
});

test("a client's keyPrefix and its reading from replicas hold no surprises", async () => {
  const client = new Cluster(
    running.nodes.map(({ host, port }) => ({ host, port })),
    {
      keyPrefix: 'app:{tenant}:',
      scaleReads: 'all',
    },
  );
  const session = new RedisSession<object>({ sessionId: freshId(), client });
  for (let count = 1; count <= 50; count++) {
    await session.addItems([message(count)]);
    expect(await session.getItems()).toHaveLength(count);
  }
  await session.clearSession();
  client.disconnect();
});

test('a keyPrefix that leaves no hash tag is an error that says so', async () => {
  const client = new Cluster(
    running.nodes.map(({ host, port }) => ({ host, port })),
    { keyPrefix: '{}' },
  );
  const session = new RedisSession<object>({ sessionId: freshId(), client });
  await expect(session.addItems([message(0)])).rejects.toMatchObject({
    code: 'INCOMPATIBLE_STORE',
    message: expect.stringContaining('keyPrefix') as string,
  });
  client.disconnect();
});

test('25 first writers and 40 poppers, on two cluster clients', async () => {
  const other = new Cluster(running.nodes.map(({ host, port }) => ({ host, port })));
  const sessionId = freshId();
  const sessions = [cluster, other].map((client) => new RedisSession<object>({ sessionId, client }));
  const writers = Array.from({ length: 40 }, (_, at) => {
    return new RedisSession<object>({ sessionId, client: at % 2 ? cluster : other }).addItems([message(at)]);
  });
  await Promise.all(writers);
  expect(await sessions[0]!.getItems()).toHaveLength(40);
  const popped = await Promise.all(Array.from({ length: 40 }, (_, at) => sessions[at % 2]!.popItem()));
  expect(new Set(popped.map((item) => JSON.stringify(item))).size).toBe(40);
  expect(await sessions[1]!.getItems()).toEqual([]);
  other.disconnect();
});
