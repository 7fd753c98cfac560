import { randomUUID } from 'node:crypto';
import { RedisSession } from '@sessions/redis';
import type { Redis } from 'ioredis';
import type { Comparison } from './compare.ts';
import { turn, turns } from './items.ts';

const LONG = 10_000;
const SHORT = 100;
const LIMIT = 20;

/** Lists that the appends go to are emptied now and then, so that the server's memory says nothing. */
const KEPT = 5_000;

/** Redis sessions beside the driver alone. */
export async function redisComparisons(client: Redis): Promise<Comparison[]> {
  // On a server that is somebody's, nothing is met and nothing left behind.
  const prefix = `bench-${randomUUID()}`;
  const session = (sessionId: string) => new RedisSession({ sessionId, client, prefix, ttlSeconds: 3_600 });
  const [appended, long, short] = [session('append'), session('long'), session('short')];
  for (const [filled, length] of [
    [long, LONG],
    [short, SHORT],
  ] as const) {
    await filled.clearSession();
    await filled.addItems(turns(length / 2));
  }
  const longKey = `${prefix}:{long}:items`;
  const rawKey = `${prefix}:raw`;
  const items = turn(1);
  const texts = items.map((item) => JSON.stringify(item));
  let added = 0;
  let pushed = 0;
  return [
    {
      name: 'addItems of 2 items',
      against: 'RPUSH of the same text',
      goal: 0.55,
      ours: async () => {
        if (++added % KEPT === 0) await appended.clearSession();
        await appended.addItems(items);
      },
      theirs: async () => {
        if (++pushed % KEPT === 0) await client.del(rawKey);
        await client.rpush(rawKey, ...texts);
      },
    },
    {
      name: `getItems(${LIMIT}) of ${LONG} items`,
      against: 'LRANGE and JSON.parse',
      goal: 0.8,
      ours: () => long.getItems(LIMIT),
      theirs: async () => {
        return (await client.lrange(longKey, -LIMIT, -1)).map((text) => JSON.parse(text) as unknown);
      },
    },
    {
      name: `getItems(${LIMIT}) of ${LONG} items`,
      against: `the same of ${SHORT} items`,
      goal: 1 / 1.2,
      ours: () => long.getItems(LIMIT),
      theirs: () => short.getItems(LIMIT),
    },
  ];
}
