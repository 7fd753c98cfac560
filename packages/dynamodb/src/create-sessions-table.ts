import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { SessionError } from '@sessions/core';
import { dynamodbError } from './dynamodb-error.ts';
import { resolveTable, type SessionsTable } from './sessions-table.ts';

/** How long a table may take to become active, in seconds. */
const LONGEST_CREATION = 300;

/**
 * Creates the table that sessions need, billed on demand and with its expiry switched on, and waits until it is active.
 * A table that is there already is left as it is, but for an expiry that it does not have; so this may be called by
 * many at once (LIFE-3).
 *
 * An engine that knows no expiry, as some for tests do not, gets a table without one.
 *
 * @param client - needs the permissions `CreateTable`, `DescribeTable` and `UpdateTimeToLive`
 * @throws SessionError `INVALID_ARGUMENT`, `ACCESS_DENIED`, `UNAVAILABLE`; `INCOMPATIBLE_STORE` if there is a table of that
 *   name with other keys, or another attribute for its expiry
 */
export async function createSessionsTable(
  client: DynamoDBClient,
  options: SessionsTable = {},
): Promise<void> {
  const { tableName: TableName, partitionKey, sortKey, ttlAttribute: AttributeName } = resolveTable(options);
  const keys = [partitionKey, sortKey];
  const create = new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: keys.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: keys.map((name, at) => ({ AttributeName: name, KeyType: at === 0 ? 'HASH' : 'RANGE' })),
  });
  const expire = new UpdateTimeToLiveCommand({
    TableName,
    TimeToLiveSpecification: { AttributeName, Enabled: true },
  });
  try {
    await client.send(create).catch(unless(/ResourceInUse/));
    // A table that was created just now may not be there for everybody yet. Whoever may not look would be kept waiting.
    await client.send(new DescribeTableCommand({ TableName })).catch(unless(/ResourceNotFound/));
    const times = { minDelay: 1, maxDelay: 2, maxWaitTime: LONGEST_CREATION };
    await waitUntilTableExists({ client, ...times }, { TableName });
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const found = Table?.KeySchema?.map((key) => key.AttributeName).join();
    if (found !== keys.join()) {
      const message = `There is a table ${TableName} with other keys. Name its keys, or choose another table.`;
      throw new SessionError('INCOMPATIBLE_STORE', { message });
    }
    await client.send(expire).catch(unless(/UnknownOperation|already enabled/));
  } catch (error) {
    throw dynamodbError(error);
  }
}

function unless(expected: RegExp): (error: unknown) => void {
  return (error) => {
    if (!expected.test(String(error))) throw error;
  };
}
