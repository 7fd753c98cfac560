import { isSessionError, SessionError } from '@sessions/core';
import type { StoreCall } from '@sessions/core/store';
import type { Cluster, Redis } from 'ioredis';
import { redisError } from './redis-error.ts';

/** A client of `ioredis`: for one server, for one behind Sentinel, or for a cluster. */
export type RedisClient = Redis | Cluster;

/** For each client that is not ready, the one wait that all its sessions share. */
const waiting = new WeakMap<RedisClient, Promise<void>>();

/**
 * Resolves when the client can send at once, so that no command is left in its queue to be sent after the caller was
 * told that the store could not be reached.
 *
 * @throws SessionError `UNAVAILABLE` when the call's time is up or the client was ended, `ACCESS_DENIED` when the server
 *   refuses the client's credentials
 */
export async function ready(client: RedisClient, call: StoreCall): Promise<void> {
  if (client.status === 'ready') return;
  let connecting = waiting.get(client);
  if (!connecting) {
    connecting = connect(client).finally(() => waiting.delete(client));
    waiting.set(client, connecting);
  }
  const { signal } = call;
  await new Promise<void>((resolve, reject) => {
    const timeUp = () => reject(new SessionError('UNAVAILABLE'));
    signal.addEventListener('abort', timeUp, { once: true });
    if (signal.aborted) timeUp();
    connecting.then(resolve, reject);
  });
}

async function connect(client: RedisClient): Promise<void> {
  const listeners: [event: string, listener: (error?: unknown) => void][] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const ended = () => {
        const message =
          'The Redis client was ended. Nothing was written; build the session with one that is open.';
        reject(new SessionError('UNAVAILABLE', { message, retryable: false }));
      };
      const failed = (error: unknown) => {
        const known = redisError(error, 'UNAVAILABLE');
        // Whatever else it is may pass, and the client goes on trying.
        if (isSessionError(known, 'ACCESS_DENIED')) reject(known);
      };
      listeners.push(['ready', () => resolve()], ['end', ended], ['error', failed]);
      for (const [event, listener] of listeners) client.on(event, listener);
      if (client.status === 'end') ended();
      // A lazy client connects at its first command, which here comes after that; events tell how it goes.
      if (client.status === 'wait') client.connect().catch(failed);
    });
  } finally {
    for (const [event, listener] of listeners) client.off(event, listener);
  }
}
