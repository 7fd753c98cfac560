import { isSessionError } from '@sessions/core';
import { RedisSession } from '@sessions/redis';
import { Redis } from 'ioredis';

/** Nobody listens there. */
const NOWHERE = { host: '127.0.0.1', port: 1 };

export async function use(): Promise<void> {
  const client = new Redis({ ...NOWHERE, lazyConnect: true });
  client.on('error', () => undefined);
  const session = new RedisSession({ sessionId: 'user-42', client, timeoutMs: 200 });
  const failed = await session
    .addItems([{ role: 'user', content: 'Hello' }])
    .catch((error: unknown) => error);
  client.disconnect();
  if (!isSessionError(failed, 'UNAVAILABLE') || !failed.retryable) throw failed;
}
