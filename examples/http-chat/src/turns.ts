import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';

/** Renewed while a turn lasts. A server that was killed blocks its user for no longer than this. */
const LEASE_MS = 3_000;

/** How long a request waits for the ones before it. */
const LONGEST_WAIT_MS = 30_000;

const IF_MINE = "redis.call('GET', KEYS[1]) == ARGV[1]";
const RENEW = `return ${IF_MINE} and redis.call('PEXPIRE', KEYS[1], ARGV[2])`;
const END = `return ${IF_MINE} and redis.call('DEL', KEYS[1])`;

/** Another request of the same user is still at work. */
export class BusyError extends Error {}

/**
 * Does the work when no other is being done for this user, on any server.
 *
 * What it wins is that each turn is shown all turns before it. It is not what keeps the history whole: a lease can be lost,
 * when a server stalls for longer than it lasts. Then two turns do not know of each other, and even so each is stored once,
 * and in one piece, for a run adds its items in one batch.
 *
 * @throws BusyError if it takes too long until it is this one's turn
 */
export async function inTurn<T>(redis: Redis, user: string, work: () => Promise<T>): Promise<T> {
  const key = `chat-turn:${user}`;
  const token = crypto.randomUUID();
  const until = performance.now() + LONGEST_WAIT_MS;
  while ((await redis.set(key, token, 'PX', LEASE_MS, 'NX')) === null) {
    if (performance.now() > until) throw new BusyError('Still at work on the message before.');
    await pause(50 + 50 * Math.random());
  }
  const renewal = setInterval(() => {
    redis.eval(RENEW, 1, key, token, LEASE_MS).catch(() => undefined);
  }, LEASE_MS / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // If this fails, the lease ends by itself; the turn is stored.
    await redis.eval(END, 1, key, token).catch(() => undefined);
  }
}
