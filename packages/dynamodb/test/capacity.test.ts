import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { DynamoDBSession } from '../src/index.ts';
import { dynamodbForTests, freshId } from './server.ts';

const dynamodb = dynamodbForTests();

const TABLE = 'sessions';
const TURNS = 50;
const ITEMS_OF_TURN = 4;

type Row = Record<string, AttributeValue>;

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

/** What a run of an agent leaves. */
function turn(index: number, bytes: number): { role: string; content: string }[] {
  return Array.from({ length: ITEMS_OF_TURN }, (_, at) => ({
    role: 'user',
    content: `${index}.${at} `.padEnd(bytes, 'words '),
  }));
}

async function rowsOf(client: DynamoDBClient, partition: string): Promise<Row[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: TABLE,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: partition } },
    }),
  );
  return Items;
}

/** By the rules of DynamoDB: names, and values in UTF-8; a list takes three bytes, and one for each member. */
function bytesOf(row: Row): number {
  return Object.entries(row).reduce((sum, [name, value]) => sum + utf8(name) + bytesOfValue(value), 0);
}

function bytesOfValue({ S, N, L }: AttributeValue): number {
  if (L) return L.reduce((sum, member) => sum + 1 + bytesOfValue(member), 3);
  // Of a number: about a byte for every two digits, and one more.
  return S === undefined ? Math.ceil(N!.length / 2) + 1 : utf8(S);
}

function utf8(text: string): number {
  return Buffer.byteLength(text);
}

describe('capacity units', () => {
  test.each([
    [40, 1, 1, 3],
    [180, 2, 1, 5],
    [260, 2, 2, 7],
    [700, 4, 4, 16],
    [3_000, 15, 12, 60],
  ])(
    'a turn, which reads 20 items of %i bytes and adds 4, takes what plain rows of the same bytes take: %i and %i',
    async (bytes, forReading, forWriting, forReadingTwenty) => {
      const client = dynamodb.client();
      const sessionId = freshId();
      const session = new DynamoDBSession<object>({ sessionId, client });
      for (let index = 0; index < TURNS; index++) await session.addItems(turn(index, bytes));
      const reading = await unitsOf(client, () => session.getItems(20));
      const writing = await unitsOf(client, () => session.addItems(turn(TURNS, bytes)));

      const rows = await rowsOf(client, `sessions:${sessionId}`);
      const pk = { S: `plain:${sessionId}` };
      const put = (row: Row) => {
        // Keys as long as the session's, and the rest in one text.
        const plain = { pk, sk: row.sk!, t: { S: '' } };
        plain.t.S = 'x'.repeat(bytesOf(row) - bytesOf(plain));
        return client.send(new PutItemCommand({ TableName: TABLE, Item: plain }));
      };
      expect(rows).toHaveLength(TURNS + 1);
      for (const row of rows.slice(0, TURNS)) await put(row);
      const query = new QueryCommand({
        TableName: TABLE,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ScanIndexForward: false,
        Limit: 20 / ITEMS_OF_TURN,
      });
      const plainReading = await unitsOf(client, () => client.send(query));
      const plainWriting = await unitsOf(client, () => put(rows[TURNS]!));
      expect({ reading: plainReading, writing: plainWriting }).toEqual({ reading, writing });
      expect({ reading, writing }).toEqual({ reading: forReading, writing: forWriting });

      // What others did with other sessions just before says how many rows a first look takes.
      const cold = new DynamoDBSession<object>({ sessionId, client });
      expect(await unitsOf(client, () => cold.getItems(20))).toBe(forReading);
      // As a process has it that has used no session yet: twenty rows, in case that each has one.
      await new DynamoDBSession<object>({ sessionId: freshId(), client }).addItems(
        turn(0, bytes).slice(1, 2),
      );
      const first = new DynamoDBSession<object>({ sessionId, client });
      expect(await unitsOf(client, () => first.getItems(20))).toBe(forReadingTwenty);
    },
  );

  test.each([undefined, 30 * 24 * 60 * 60])(
    'a row has less than 250 bytes beside its items, with ttlSeconds %s',
    async (ttlSeconds) => {
      const client = dynamodb.client();
      const sessionId = freshId();
      const session = new DynamoDBSession<object>({ sessionId, client, ttlSeconds });
      const items = turn(0, 100);
      const own = items.reduce((sum, item) => sum + utf8(JSON.stringify(item)), 0);
      for (let index = 0; index < 100; index++) await session.addItems(items);
      await session.clearSession();
      for (let index = 0; index < 100; index++) await session.addItems(items);
      const rows = (await rowsOf(client, `sessions:${sessionId}`)).slice(-100);
      const bytes = rows.map((row) => bytesOf(row) - own);
      expect(Math.min(...bytes)).toBeGreaterThan(0);
      expect(Math.max(...bytes)).toBeLessThan(250);
    },
  );
});
