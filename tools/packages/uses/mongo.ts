import { isSessionError } from '@sessions/core';
import { MongoSession } from '@sessions/mongo';
import { MongoClient } from 'mongodb';

/** Nobody listens there. */
const NOWHERE = 'mongodb://127.0.0.1:1';

export async function use(): Promise<void> {
  const client = new MongoClient(NOWHERE);
  const session = new MongoSession({ sessionId: 'user-42', client, timeoutMs: 200 });
  const failed = await session.popItem().catch((error: unknown) => error);
  await client.close();
  if (!isSessionError(failed, 'UNAVAILABLE') || !failed.retryable) throw failed;
}
