import { SessionError } from '@sessions/core';
import type { StoreCall } from '@sessions/core/store';
import type { RedisClient } from './redis-session.ts';

/** For each client that is not ready, the one wait that all its sessions share. */
const waiting = new WeakMap<RedisClient, Promise<void>>();

/**
 * Resolves when the client can send at once, so that no command is left in its queue to be sent after the caller was
 * told that the store could not be reached.
 *
 * @throws SessionError `UNAVAILABLE` when the call's time is up, or when the client was ended
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

function connect(client: RedisClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      client.off('ready', isReady);
      const message =
        'The Redis client was ended. Nothing was written; build the session with one that is open.';
      reject(new SessionError('UNAVAILABLE', { message, retryable: false }));
    };
    const isReady = () => {
      client.off('end', ended);
      resolve();
    };
    if (client.status === 'end') return ended();
    client.once('ready', isReady);
    client.once('end', ended);
    // A lazy client connects at its first command, which here comes after the connection; how it goes, events tell.
    if (client.status === 'wait') client.connect().catch(() => undefined);
  });
}
