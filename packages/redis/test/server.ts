import { randomUUID } from 'node:crypto';
import { type RunningRedis, startRedis } from '@sessions/servers';
import { Redis, type RedisOptions } from 'ioredis';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

type ClientOptions = Omit<RedisOptions, 'replyMapping'> & { replyMapping?: 'legacy' };

/** A real server for the tests of one file, and clients that end with the test that opened them. */
export function redisForTests(): { server(): RunningRedis; client(options?: ClientOptions): Redis } {
  let running: RunningRedis | undefined;
  beforeAll(async () => {
    // Of its own, since these tests kill it, fill it and flush what it has; options rule out a server from the environment.
    running = await startRedis({ args: ['--maxmemory-policy', 'noeviction'] });
  });
  afterAll(() => running?.stop());
  const server = () => running!;
  return {
    server,
    client(options = {}) {
      const { hostname, port, username, password } = new URL(server().url);
      const address = { host: hostname, port: Number(port), username, password };
      const client = new Redis({ ...address, ...options } as ClientOptions);
      client.on('error', () => undefined);
      onTestFinished(() => client.disconnect());
      return client;
    },
  };
}

export function freshId(): string {
  return `test-${randomUUID()}`;
}

export function message(index: number): { role: 'user'; content: string } {
  return { role: 'user', content: `m${index}` };
}
