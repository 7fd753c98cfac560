import { type DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { DynamoDBSession } from '../src/index.ts';
import { dynamodbForTests, freshId } from './server.ts';

const dynamodb = dynamodbForTests();

/** The capacity units that everything takes which is sent meanwhile, as the server counts them. */
async function unitsOf(client: DynamoDBClient, run: () => Promise<unknown>): Promise<number> {
  let units = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const { ConsumedCapacity } = result.output as { ConsumedCapacity?: { CapacityUnits?: number } };
      units += ConsumedCapacity?.CapacityUnits ?? Number.NaN;
      return result;
    },
    { name: 'units', step: 'initialize' },
  );
  try {
    await run();
  } finally {
    client.middlewareStack.remove('units');
  }
  return units;
}

/** What a turn leaves: four items of about 300 bytes each. */
function turn(index: number): { role: string; content: string }[] {
  return Array.from({ length: 4 }, (_, at) => ({
    role: 'user',
    content: `${index}.${at} `.padEnd(260, 'words '),
  }));
}

test('a turn, which reads 20 items and adds 4, takes what plain rows of the same content take', async () => {
  const client = dynamodb.client();
  const sessionId = freshId();
  const session = new DynamoDBSession<object>({ sessionId, client });
  for (let index = 0; index < 50; index++) await session.addItems(turn(index));
  await session.getItems(20);
  const reading = await unitsOf(client, () => session.getItems(20));
  const writing = await unitsOf(client, () => session.addItems(turn(50)));
  const cold = await unitsOf(client, () => new DynamoDBSession<object>({ sessionId, client }).getItems(20));

  const pk = { S: freshId() };
  const put = (index: number) =>
    client.send(
      new PutItemCommand({
        TableName: 'sessions',
        Item: {
          pk,
          sk: { S: String(index).padStart(16, '0') },
          texts: { L: turn(index).map((item) => ({ S: JSON.stringify(item) })) },
        },
      }),
    );
  for (let index = 0; index < 50; index++) await put(index);
  const query = new QueryCommand({
    TableName: 'sessions',
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ScanIndexForward: false,
    Limit: 5,
  });
  const plainReading = await unitsOf(client, () => client.send(query));
  const plainWriting = await unitsOf(client, () => put(50));
  expect({ reading, cold, writing }).toEqual({
    reading: plainReading,
    cold: plainReading,
    writing: plainWriting,
  });
});
