import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { FIRST_START_MS, type RunningDynamoDB, startDynamoDB, whyAbsent } from '@sessions/servers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSessionsTable, DynamoDBSession } from '../src/index.ts';
import { configOf } from './adapter.ts';
import { freshId, message } from './server.ts';

describe.each(['dynalite', 'moto'] as const)('a table on %s', (engine) => {
  const missing = engine === 'moto' ? whyAbsent('python3', engine) : undefined;
  let server: RunningDynamoDB;
  let client: DynamoDBClient;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await startDynamoDB({ engine });
    client = new DynamoDBClient(configOf(server));
  }, FIRST_START_MS);
  beforeEach((context) => context.skip(missing !== undefined, missing));
  afterAll(async () => {
    client?.destroy();
    await server?.stop();
  });

  test('is billed on demand, and active when it is there', async () => {
    await createSessionsTable(client, { tableName: 'mine' });
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'mine' }));
    expect(Table).toMatchObject({
      TableStatus: 'ACTIVE',
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
  });

  test('LIFE-3 is made once by many, and again, which changes nothing', async () => {
    const options = { tableName: 'shared', partitionKey: 'session', sortKey: 'row', ttlAttribute: 'end' };
    await Promise.all(Array.from({ length: 5 }, () => createSessionsTable(client, options)));
    const session = new DynamoDBSession<object>({ sessionId: 'a', client, ...options, ttlSeconds: 100 });
    await session.addItems([message(0)]);
    await createSessionsTable(client, options);
    expect(await session.getItems()).toEqual([message(0)]);
  });

  test('is waited for where it is not there for everybody at once', async () => {
    const late = new DynamoDBClient(configOf(server));
    let asked = 0;
    late.middlewareStack.add((next, { commandName }) => (args) => {
      if (commandName !== 'DescribeTableCommand' || asked++ > 1) return next(args);
      return late.send(new DescribeTableCommand({ TableName: 'not-there-yet' })) as never;
    });
    await createSessionsTable(late, { tableName: 'late' });
    expect(asked).toBeGreaterThan(2);
    const session = new DynamoDBSession<object>({ sessionId: 'a', client: late, tableName: 'late' });
    await session.addItems([message(0)]);
    expect(await session.getItems()).toEqual([message(0)]);
    late.destroy();
  });

  test('with other keys is refused', async () => {
    await createSessionsTable(client, { tableName: 'other', sortKey: 'range' });
    await expect(createSessionsTable(client, { tableName: 'other' })).rejects.toMatchObject({
      code: 'INCOMPATIBLE_STORE',
      message: expect.stringContaining('other keys') as string,
    });
  });

  test('has names that DynamoDB reserves', async () => {
    const names = { tableName: 'reserved', partitionKey: 'Hash', sortKey: 'range', ttlAttribute: 'TTL' };
    await createSessionsTable(client, names);
    const session = new DynamoDBSession<object>({ sessionId: 'a', client, ...names, ttlSeconds: 100 });
    await session.addItems([message(0), message(1)]);
    await session.popItem();
    await session.clearSession();
    await session.addItems([message(2)]);
    expect(await session.getItems()).toEqual([message(2)]);
  });

  test('shows plain JSON, and ends no sooner than the session', async () => {
    await createSessionsTable(client, { tableName: 'plain' });
    const sessionId = freshId();
    const session = new DynamoDBSession<object>({ sessionId, client, tableName: 'plain', ttlSeconds: 100.5 });
    const before = Date.now();
    const items = [message(0), { type: 'function_call', callId: 'c', arguments: '{"a":1}' }];
    await session.addItems(items);
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: 'plain',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `sessions:${sessionId}` } },
      }),
    );
    expect(Items).toHaveLength(1);
    const { texts, rev, ttl, sk } = Items[0]!;
    expect(texts).toEqual({ L: items.map((item) => ({ S: JSON.stringify(item) })) });
    expect(rev).toEqual({ N: '0' });
    expect(sk).toEqual({ S: 'e000000000000001' });
    expect(Number(ttl!.N) * 1_000).toBeGreaterThanOrEqual(before + 100_500);
    expect(ttl!.N).toMatch(/^\d{10}$/);
  });

  test('a row as large as they get is taken, under the longest of keys and names', async () => {
    const name = (character: string) => character.repeat(255);
    const names = {
      tableName: 'large',
      partitionKey: name('p'),
      sortKey: name('s'),
      ttlAttribute: name('t'),
    };
    await createSessionsTable(client, names);
    // What an engine counts for each of very many texts shows with the shortest; moto, which is slow with them, counts nothing.
    const shortest = engine === 'moto' ? [] : ['1', '"é"'];
    for (const record of [...shortest, `"${'x'.repeat(1_000)}"`]) {
      const sessionId = 'x'.repeat(2_048 - 'sessions:'.length);
      const session = new DynamoDBSession<unknown>({
        sessionId,
        client,
        ...names,
        ttlSeconds: 1e6,
        timeoutMs: 50_000,
      });
      const count = Math.ceil(430_000 / (Buffer.byteLength(record) + 1));
      const items = Array.from({ length: count }, () => JSON.parse(record) as unknown);
      await session.addItems(items);
      expect(await session.getItems()).toEqual(items);
      await session.clearSession();
    }
  });

  if (engine === 'moto') {
    test('has its expiry switched on', async () => {
      await createSessionsTable(client, { tableName: 'ending', ttlAttribute: 'end' });
      await createSessionsTable(client, { tableName: 'ending', ttlAttribute: 'end' });
      const { TimeToLiveDescription } = await client.send(
        new DescribeTimeToLiveCommand({ TableName: 'ending' }),
      );
      expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED', AttributeName: 'end' });
    });
  }

  test('a table of numbers is none', async () => {
    await client.send(
      new CreateTableCommand({
        TableName: 'numbers',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'N' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
    const session = new DynamoDBSession<object>({ sessionId: 'a', client, tableName: 'numbers' });
    await expect(session.addItems([message(0)])).rejects.toMatchObject({ code: 'INCOMPATIBLE_STORE' });
    await expect(
      client.send(new GetItemCommand({ TableName: 'numbers', Key: { pk: { N: '0' }, sk: { S: 'a' } } })),
    ).resolves.not.toHaveProperty('Item');
  });
});
