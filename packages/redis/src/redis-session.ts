import type { AgentItem } from '@sessions/core';
import { invalidArgument, StoredSession, type StoreOptions } from '@sessions/core/store';
import { Redis } from 'ioredis';
import type { RedisClient } from './connection.ts';
import { sessionKeys } from './keys.ts';
import { RedisStore } from './redis-store.ts';

/** What a {@link RedisSession} is built with. */
export type RedisSessionOptions = StoreOptions & {
  /** The conversation's id: any non-empty string. */
  sessionId: string;
  /** What all keys begin with; `sessions` by default. Sessions under different prefixes share nothing (ID-3). */
  prefix?: string | undefined;
} & (
    | {
        /** The application's client, which it also closes. Its `keyPrefix` and its other options hold. */
        client: RedisClient;
        url?: undefined;
      }
    | {
        /** `redis://` or `rediss://`: the session opens a connection of its own at its first call, until `close()`. */
        url: string;
        client?: undefined;
      }
  );

/**
 * A session in Redis 6.2 or later, Valkey, or Redis Cluster: a list of plain JSON, changed by one script.
 *
 * Each call is one command; replacing a suffix or rewriting takes two, and popping takes more only for a damaged record
 * or one over 4 KiB. Building a session makes no call and, with a `client`, opens nothing.
 */
export class RedisSession<TItem = AgentItem> extends StoredSession<TItem> {
  /** @throws SessionError `INVALID_SESSION_ID`, `INVALID_ARGUMENT`, `INVALID_LIMIT`, `INCOMPATIBLE_STORE` */
  constructor(options: RedisSessionOptions) {
    const { sessionId, prefix = 'sessions', client, url } = options;
    super({
      adapter: 'redis',
      protocolVersion: '1.0',
      sessionId,
      options,
      open: (resolved) => {
        if (typeof prefix !== 'string') invalidArgument('`prefix` must be a string');
        const keys = sessionKeys(prefix, sessionId);
        if (client === undefined)
          return new RedisStore(ownClient(url, resolved.timeoutMs), keys, resolved, true);
        if (url !== undefined) invalidArgument('Give either `client` or `url`, not both');
        if (!isClient(client))
          invalidArgument('`client` must be one of ioredis; node-redis is another library');
        return new RedisStore(client, keys, resolved, false);
      },
    });
  }
}

function isClient(client: unknown): client is RedisClient {
  const { status, call, isCluster } = (client ?? {}) as Record<string, unknown>;
  return typeof status === 'string' && typeof call === 'function' && typeof isCluster === 'boolean';
}

/** The longest wait between two attempts to reconnect, in milliseconds. */
const LONGEST_RECONNECT_MS = 500;

function ownClient(url: unknown, timeoutMs: number): Redis {
  if (typeof url !== 'string' || !/^rediss?:\/\//.test(url)) {
    invalidArgument('Either `client` (from ioredis) or `url` (redis://… or rediss://…) is needed');
  }
  let client: Redis;
  try {
    client = new Redis(url, {
      lazyConnect: true,
      connectTimeout: timeoutMs,
      retryStrategy: (attempt) => Math.min(attempt * 20, LONGEST_RECONNECT_MS),
    });
  } catch {
    // Whatever it says may show the password.
    return invalidArgument('The `url` cannot be read; percent-encode special characters in the password');
  }
  // Each call reports its own failure; without a listener the client would print them too. One thing it only tells here,
  // and then goes on with another database than it was given.
  client.on('error', ({ message }: Error) => {
    if (message.includes('DB index')) client.disconnect();
  });
  return client;
}
