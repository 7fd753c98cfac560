import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isSessionError } from '@sessions/core';
import { createSessionsTable, DynamoDBSession } from '@sessions/dynamodb';

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1';

export async function use(): Promise<void> {
  const client = new DynamoDBClient({
    endpoint: NOWHERE,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  const session = new DynamoDBSession({
    sessionId: 'user-42',
    client,
    tableName: 'sessions',
    timeoutMs: 200,
  });
  const failed = await session.getItems().catch((error: unknown) => error);
  client.destroy();
  if (!isSessionError(failed, 'UNAVAILABLE') || !failed.retryable) throw failed;
  if (typeof createSessionsTable !== 'function') throw new Error('Nothing creates a table');
}
