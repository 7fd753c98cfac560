import { createRequire } from 'node:module';
import { SessionError, type SessionErrorCode } from '@sessions/core';
import type { AnySession, Connection } from '../src/index.ts';

/** What is used of a client of `ioredis`, which is a dependency of the Redis package only. */
interface Client {
  rpush(key: string, ...texts: string[]): Promise<unknown>;
  rpop(key: string): Promise<string | null>;
  lrange(key: string, from: number, to: number): Promise<string[]>;
  del(key: string): Promise<unknown>;
  on(event: 'error', listener: () => void): void;
  disconnect(): void;
}

const { Redis } = createRequire(new URL('../../packages/redis/package.json', import.meta.url))('ioredis') as {
  Redis: new (url: string) => Client;
};

/**
 * Sessions of one command a call, as anyone would write them. Each command is atomic, so that all is well until a
 * reply is lost: the client sends the command again, and it is done twice.
 */
export function openNaiveRedis(url: string, prefix: string): Connection {
  const client = new Redis(url);
  client.on('error', () => undefined);
  return {
    session: ({ sessionId, timeoutMs = 30_000 }) => naive(client, prefix + sessionId, sessionId, timeoutMs),
    close: async () => client.disconnect(),
  };
}

function naive(client: Client, key: string, sessionId: string, timeoutMs: number): AnySession {
  const within = async <T>(code: SessionErrorCode, command: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, timeoutMs);
    });
    try {
      return await Promise.race([command, late]);
    } catch {
      throw new SessionError(code);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    sessionId,
    getSessionId: async () => sessionId,
    async getItems(limit) {
      const texts = await within('UNAVAILABLE', client.lrange(key, limit === undefined ? 0 : -limit, -1));
      return texts.map((text) => JSON.parse(text) as unknown);
    },
    async addItems(items) {
      await within('OUTCOME_UNKNOWN', client.rpush(key, ...items.map((item) => JSON.stringify(item))));
    },
    async popItem() {
      const text = await within('OUTCOME_UNKNOWN', client.rpop(key));
      return text === null ? undefined : (JSON.parse(text) as unknown);
    },
    async clearSession() {
      await within('OUTCOME_UNKNOWN', client.del(key));
    },
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
