import { RedisSession } from '@sessions/redis';
import { startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';

const ITEMS = 5_000;

test('what `docs/operations.md` says of the memory that items and changes take', async () => {
  const server = await startRedis();
  const client = new Redis(server.url);
  const prefix = crypto.randomUUID().slice(0, 8);
  const session = new RedisSession<object>({ sessionId: 'user-42', prefix, client });
  onTestFinished(async () => {
    await session.clearSession();
    client.disconnect();
    await server.stop();
  });
  const bytesOf = async (key: string) => Number(await client.memory('USAGE', key, 'SAMPLES', 0));

  const item = { role: 'user', content: 'm'.repeat(160) };
  await session.addItems(Array.from({ length: ITEMS }, () => item));
  const beside = (await bytesOf(`${prefix}:{user-42}:items`)) / ITEMS - JSON.stringify(item).length;
  expect(beside).toBeGreaterThan(0);
  expect(beside).toBeLessThan(20);

  const changes = await client.keys(`${prefix}:{user-42}:change:*`);
  expect(changes).toHaveLength(1);
  expect(await bytesOf(changes[0]!)).toBeLessThan(160);
  expect(await client.ttl(changes[0]!)).toBeGreaterThan(14 * 60);
});
