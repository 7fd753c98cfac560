import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DynamoDBLog } from '../src/dynamodb-log.ts';
import { DynamoDBSession } from '../src/index.ts';
import { partitionOf } from '../src/partition.ts';
import { resolveTable } from '../src/sessions-table.ts';
import { overloadable } from './overloadable.ts';
import { dynamodbForTests, freshId, message, messages, sentBy } from './server.ts';

const dynamodb = dynamodbForTests();

type Session = DynamoDBSession<object>;

const BATCH = 'BatchWriteItem';

/** Turns of four items, as a run of an agent leaves them, by an instance that is gone. */
async function turns(client: DynamoDBClient, count: number): Promise<string> {
  const sessionId = freshId();
  const session: Session = new DynamoDBSession({ sessionId, client });
  for (let turn = 0; turn < count; turn++) await session.addItems(messages(turn * 4, turn * 4 + 4));
  return sessionId;
}

const CALLS: readonly [
  name: string,
  sent: readonly string[],
  call: (session: Session) => Promise<unknown>,
][] = [
  ['getItems()', ['Query'], (session) => session.getItems()],
  ['getItems(20)', ['Query'], (session) => session.getItems(20)],
  ['getItems(0)', [], (session) => session.getItems(0)],
  ['addItems', ['Query', 'PutItem'], (session) => session.addItems([message(9)])],
  ['addItems of 2,000', ['Query', 'PutItem'], (session) => session.addItems(messages(0, 2_000))],
  ['addItems of none', [], (session) => session.addItems([])],
  ['popItem', ['Query', 'PutItem', 'PutItem'], (session) => session.popItem()],
  [
    'a compaction',
    ['Query', 'PutItem', 'Query', BATCH, 'PutItem'],
    (session) => session.replaceHistoryWithCompaction([message(9)]),
  ],
  ['getSessionId', [], (session) => session.getSessionId()],
];

describe('requests', () => {
  test.each(CALLS)('%s of a cold instance: %j', async (_name, wanted, call) => {
    const client = dynamodb.client();
    const sessionId = await turns(client, 10);
    const sent = await sentBy(client, () => call(new DynamoDBSession({ sessionId, client })));
    expect(sent).toEqual(wanted);
  });

  test('addItems after a read, or after another', async () => {
    const client = dynamodb.client();
    const session: Session = new DynamoDBSession({ sessionId: await turns(client, 10), client });
    await session.getItems(20);
    expect(await sentBy(client, () => session.addItems(messages(0, 4)))).toEqual(['PutItem']);
    expect(await sentBy(client, () => session.addItems(messages(0, 4)))).toEqual(['PutItem']);
  });

  test('addItems after a read that found nothing', async () => {
    const client = dynamodb.client();
    const session: Session = new DynamoDBSession({ sessionId: freshId(), client });
    expect(await sentBy(client, () => session.getItems(20))).toEqual(['Query']);
    expect(await sentBy(client, () => session.addItems(messages(0, 4)))).toEqual(['PutItem']);
  });

  test('pops one after another', async () => {
    const client = dynamodb.client();
    const session: Session = new DynamoDBSession({ sessionId: await turns(client, 3), client });
    for (let count = 11; count >= 0; count--) {
      let popped: object | undefined;
      const sent = await sentBy(client, async () => {
        popped = await session.popItem();
      });
      expect(popped).toEqual(message(count));
      // The last is what erases: a row is shortened, or replaced once it is empty.
      expect(sent, `pop ${12 - count}`).toEqual(['Query', 'PutItem', count % 4 ? 'PutItem' : BATCH]);
    }
    expect(await sentBy(client, () => session.popItem())).toEqual(['Query']);
  });

  test('a pop after one of another instance', async () => {
    const client = dynamodb.client();
    const sessionId = await turns(client, 1);
    await new DynamoDBSession({ sessionId, client }).popItem();
    const session: Session = new DynamoDBSession({ sessionId, client });
    expect(await sentBy(client, () => session.popItem())).toEqual(['Query', 'PutItem', 'PutItem']);
  });

  test('a clear: two, and what erases, 25 rows at once', async () => {
    const client = dynamodb.client();
    for (const [rows, batches] of [
      [1, 1],
      [25, 1],
      [60, 3],
    ] as const) {
      const session: Session = new DynamoDBSession({ sessionId: await turns(client, rows), client });
      const sent = await sentBy(client, () => session.clearSession());
      expect(sent.slice(0, 2)).toEqual(['Query', 'PutItem']);
      const erasing = sent.slice(2);
      expect(erasing.filter((command) => command === BATCH)).toHaveLength(batches);
      // Which rows there are, in two ranges, and the note that they are gone.
      const reading = [rows === 1 ? 'GetItem' : 'Query', 'Query'];
      expect(erasing.filter((command) => command !== BATCH)).toEqual([...reading, 'PutItem']);
    }
  });

  test.each([
    [390_000, 1],
    [410_000, 3],
    [790_000, 3],
    [2_000_000, 7],
    [2_000_000, 7, 200],
    [2_000_000, 7, 2_000],
  ])('a batch of %i bytes is written in %i puts', async (bytes, puts, items = 1) => {
    const client = dynamodb.client();
    const session: Session = new DynamoDBSession({ sessionId: freshId(), client });
    await session.addItems([message(0)]);
    const content = 'x'.repeat(bytes / items - 14);
    const batch = Array.from({ length: items }, () => ({ content }));
    const sent = await sentBy(client, () => session.addItems(batch));
    expect(sent).toEqual(Array.from({ length: puts }, () => 'PutItem'));
  });

  test('a transaction that appends, again, and one that replaces', async () => {
    const client = dynamodb.client();
    const session: Session = new DynamoDBSession({ sessionId: await turns(client, 2), client });
    await session.getItems(20);
    const append = (operationId: string) =>
      session.applyHistoryTransaction({
        operationId,
        transaction: { type: 'append_items', items: [message(8)] },
      });
    expect(await sentBy(client, () => append('a'))).toEqual(['Query', 'Query', 'PutItem', 'PutItem']);
    expect(await sentBy(client, () => append('a'))).toEqual(['Query', 'Query']);
    const replaced = await sentBy(client, () =>
      session.applyHistoryTransaction({
        operationId: 'b',
        transaction: { type: 'replace_suffix', expectedSuffix: [message(8)], replacement: [message(9)] },
      }),
    );
    expect(replaced).toEqual(['Query', 'Query', 'Query', 'PutItem', 'PutItem', 'PutItem']);
  });

  test('a rewrite of the newest item', async () => {
    const client = dynamodb.client();
    const session: Session = new DynamoDBSession({ sessionId: await turns(client, 2), client });
    const call = { type: 'function_call', callId: 'c', name: 'f', arguments: '{}' };
    await session.addItems([call]);
    const sent = await sentBy(client, () =>
      session.applyHistoryMutations({
        mutations: [
          { type: 'replace_function_call', callId: 'c', replacement: { ...call, name: 'g' } as never },
        ],
      }),
    );
    expect(sent).toEqual(['Query', 'Query', 'PutItem', BATCH]);
  });

  test('a read that moves the end by more than a second takes one more', async () => {
    const client = dynamodb.client();
    const options = { client, ttlSeconds: 1_000, refreshTtlOnRead: true };
    const session: Session = new DynamoDBSession({ ...options, sessionId: freshId() });
    await session.addItems([message(0)]);
    expect(await sentBy(client, () => session.getItems())).toEqual(['Query']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await sentBy(client, () => session.getItems())).toEqual(['Query', 'PutItem']);
    expect(await sentBy(client, () => session.getItems(20))).toEqual(['Query']);
  });

  test('a limited read of rows of another size than before takes one more, once', async () => {
    const client = dynamodb.client();
    const session: Session = new DynamoDBSession({ sessionId: await turns(client, 10), client });
    await session.getItems(20);
    for (let row = 0; row < 25; row++) await session.addItems([message(row)]);
    expect(await sentBy(client, () => session.getItems(20))).toEqual(['Query', 'Query']);
    expect(await sentBy(client, () => session.getItems(20))).toEqual(['Query']);
  });

  test('building a session makes none', async () => {
    const client = dynamodb.client();
    const sent = await sentBy(client, async () => {
      for (let count = 0; count < 100; count++) new DynamoDBSession({ sessionId: freshId(), client });
    });
    expect(sent).toEqual([]);
  });

  test('reading a history longer than a page takes one for each megabyte', async () => {
    const client = dynamodb.client();
    const sessionId = freshId();
    const session: Session = new DynamoDBSession({ sessionId, client });
    for (let row = 0; row < 12; row++) await session.addItems([{ content: 'x'.repeat(300_000) }]);
    const cold: Session = new DynamoDBSession({ sessionId, client });
    const sent = await sentBy(client, async () => {
      expect(await cold.getItems()).toHaveLength(12);
    });
    expect(sent.length, sent.join()).toBeLessThanOrEqual(5);
  });
});

describe('rows that DynamoDB leaves unprocessed', () => {
  test('are sent again, and a clear leaves nothing', async () => {
    const front = await overloadable(dynamodb.server());
    onTestFinished(() => front.close());
    const client = dynamodb.client({}, front.address);
    const sessionId = await turns(client, 5);
    const session: Session = new DynamoDBSession({ sessionId, client });
    front.overload('rows');
    const sent = await sentBy(client, () => session.clearSession());
    expect(sent.filter((command) => command === BATCH)).toHaveLength(5);
    const { Items } = await client.send(
      new QueryCommand({
        TableName: 'sessions',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `sessions:${sessionId}` } },
      }),
    );
    expect(Items).toHaveLength(6);
    expect(JSON.stringify(Items)).not.toContain('content');
  });

  test('for good are left to the next write, and the call is in time', async () => {
    const front = await overloadable(dynamodb.server());
    onTestFinished(() => front.close());
    const client = dynamodb.client({}, front.address);
    const sessionId = await turns(client, 2);
    const session: Session = new DynamoDBSession({ sessionId, client, timeoutMs: 1_000 });
    front.overload('batches');
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    front.overload('nothing');
    await session.addItems([message(0)]);
    const { Items } = await client.send(
      new QueryCommand({
        TableName: 'sessions',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `sessions:${sessionId}` } },
      }),
    );
    expect(JSON.stringify(Items)).not.toContain('m7');
    expect(await session.getItems()).toEqual([message(0)]);
  });

  test('are given up after eight tries, however much time there is', async () => {
    const front = await overloadable(dynamodb.server());
    onTestFinished(() => front.close());
    const client = dynamodb.client({}, front.address);
    const log = new DynamoDBLog(client, resolveTable({}), partitionOf('sessions', freshId()), false);
    front.overload('batches');
    const { signal } = new AbortController();
    const sent = await sentBy(client, () =>
      expect(log.erase([{ key: 'e000000000000001' }], { signal })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      }),
    );
    expect(sent).toEqual(Array.from({ length: 8 }, () => BATCH));
  }, 30_000);
});
