import { expect, test, vi } from 'vitest';
import { startRedisCluster } from '../src/index.ts';
import { redisCall } from '../src/resp.ts';

test('three nodes serve all 16384 slots between them', async () => {
  vi.stubEnv('REDIS_URL', '');
  const cluster = await startRedisCluster();
  const urls = cluster.nodes.map(({ host, port }) => `redis://${host}:${port}`);
  expect(urls).toHaveLength(3);
  for (const url of urls) {
    const [slots] = await redisCall(url, [['CLUSTER', 'SLOTS']]);
    const ranges = slots as [number, number, [string, number, ...unknown[]]][];
    expect(new Set(ranges.map(([, , [host, port]]) => `redis://${host}:${port}`))).toEqual(new Set(urls));
    expect(ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)).toBe(16_384);
  }
  const written = await Promise.allSettled(urls.map((url) => redisCall(url, [['SET', 'key', 'value']])));
  expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await cluster.stop();
});
