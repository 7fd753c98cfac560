import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { AgentInputItem } from '@openai/agents';
import { type HistoryTransactionAwareSession, isSessionError } from '@sessions/core';
import { createSessionsTable, DynamoDBSession } from '@sessions/dynamodb';
import { MongoSession } from '@sessions/mongo';
import { OpenAIConversationsSession } from '@sessions/openai';
import { RedisSession } from '@sessions/redis';
import { FIRST_START_MS, startDynamoDB, startMongo, startOpenAI, startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { type Collection, MongoClient } from 'mongodb';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { examplesIn } from '../src/example.ts';
import { type ExampleFiles, writeExamples } from '../src/example-files.ts';
import { documents } from '../src/repository.ts';
import { DYNAMODB_MESSAGES, MESSAGES } from './langchain-rows.ts';

/** What `docs/migrating.md` gives its reader. */
interface Migration {
  bringOver(session: HistoryTransactionAwareSession<AgentInputItem>, items: AgentInputItem[]): Promise<void>;
  toItems(messages: readonly object[]): AgentInputItem[];
  readFromRedis(client: Redis, sessionId: string): Promise<object[]>;
  readFromMongo(collection: Collection, sessionId: string): Promise<object[]>;
  readFromDynamoDB(client: DynamoDBClient, tableName: string, sessionId: string): Promise<object[]>;
  migrate(client: Redis, sessionIds: Iterable<string>): Promise<void>;
  readFromList(client: Redis, key: string): Promise<AgentInputItem[]>;
  readFromTable(database: DatabaseSync, threadId: string): AgentInputItem[];
  readFromCollection(collection: Collection, thread: string): Promise<AgentInputItem[]>;
}

const [SYSTEM, QUESTION, ANSWER]: AgentInputItem[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is the weather in Bern?' },
  { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Sunny.' }] },
];

/** What becomes of the messages. */
const ITEMS: AgentInputItem[] = [
  SYSTEM!,
  QUESTION!,
  { type: 'function_call', callId: 'call_1', name: 'weather', arguments: '{"city":"Bern"}' },
  { type: 'function_call_result', callId: 'call_1', name: 'weather', status: 'completed', output: 'sunny' },
  ANSWER!,
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'And here?' },
      { type: 'input_image', image: 'https://example.com/bern.png' },
    ],
  },
];

let files: ExampleFiles;
let migration: Migration;
let redis: Redis;

beforeAll(async () => {
  const document = documents().find(({ path }) => path === 'docs/migrating.md')!;
  files = writeExamples(examplesIn(document).filter(({ text }) => text.includes('bringOver')));
  expect(files.paths).toHaveLength(1);
  migration = await import(join(files.folder, files.paths[0]!));
  const server = await startRedis();
  redis = new Redis(server.url);
  return async () => {
    redis.disconnect();
    await server.stop();
  };
}, FIRST_START_MS);
afterAll(() => files[Symbol.dispose]());

function freshId(): string {
  return `migrated-${crypto.randomUUID()}`;
}

describe('histories of LangChain', () => {
  test('in Redis are brought over once, however often and by however many', async () => {
    const ids = [freshId(), freshId()];
    for (const id of ids) await redis.lpush(id, ...MESSAGES.map((message) => JSON.stringify(message)));
    await migration.migrate(redis, ids);
    await Promise.all([migration.migrate(redis, ids), migration.migrate(redis, ids)]);
    for (const sessionId of ids) {
      expect(await new RedisSession({ sessionId, client: redis }).getItems()).toEqual(ITEMS);
    }
  });

  test(
    'in MongoDB are brought over once',
    async () => {
      const server = await startMongo();
      const client = new MongoClient(server.url);
      onTestFinished(async () => {
        await client.close();
        await server.stop();
      });
      const sessionId = freshId();
      const collection = client.db('docs').collection('langchain');
      await collection.insertOne({ sessionId, messages: MESSAGES });
      const session = new MongoSession({ sessionId, client, databaseName: 'docs' });
      for (let run = 0; run < 2; run++) {
        await migration.bringOver(
          session,
          migration.toItems(await migration.readFromMongo(collection, sessionId)),
        );
      }
      expect(await session.getItems()).toEqual(ITEMS);

      const messages = client.db('docs').collection('messages');
      await messages.insertOne({ thread: sessionId, role: 'user', text: 'What is the weather in Bern?' });
      await messages.insertOne({ thread: sessionId, role: 'assistant', text: 'Sunny.' });
      expect(await migration.readFromCollection(messages, sessionId)).toEqual([QUESTION, ANSWER]);
    },
    FIRST_START_MS,
  );

  test('in DynamoDB are brought over once, as far as they were kept', async () => {
    const { url: endpoint, region, credentials, stop } = await startDynamoDB({ engine: 'dynalite' });
    const client = new DynamoDBClient({ endpoint, region, credentials });
    onTestFinished(async () => {
      client.destroy();
      await stop();
    });
    const sessionId = freshId();
    await createSessionsTable(client);
    await client.send(
      new CreateTableCommand({
        TableName: 'langchain',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
    const row = { id: { S: sessionId }, messages: { L: DYNAMODB_MESSAGES } };
    await client.send(new PutItemCommand({ TableName: 'langchain', Item: row }));
    const session = new DynamoDBSession({ sessionId, client });
    for (let run = 0; run < 2; run++) {
      const messages = await migration.readFromDynamoDB(client, 'langchain', sessionId);
      await migration.bringOver(session, migration.toItems(messages));
    }
    expect(await session.getItems()).toEqual([SYSTEM, QUESTION, ANSWER]);
  });

  test('become items that the API takes', async () => {
    const api = await startOpenAI();
    onTestFinished(() => api.stop());
    const client = new OpenAI({ apiKey: api.apiKey, baseURL: api.baseURL });
    const session = new OpenAIConversationsSession({ client });
    await session.addItems(migration.toItems(MESSAGES));
    expect(await session.getItems()).toHaveLength(ITEMS.length);
  });

  test.each([
    [{ type: 'generic', data: { content: 'x', role: 'critic' } }, "type 'generic'"],
    [{ type: 'human', data: { content: [{ type: 'audio' }] } }, "type 'audio'"],
    [{ type: 'tool', data: { content: 'x', tool_call_id: 'call_9' } }, 'without its call'],
    [{ type: 'ai', data: { content: '', tool_calls: [{ name: 'x', args: {} }] } }, 'without an id'],
  ])('of which something is not known are refused: %j', (message, complaint) => {
    expect(() => migration.toItems([message])).toThrow(complaint);
  });
});

describe('a migration', () => {
  const items = Array.from(
    { length: 25_000 },
    (_, at): AgentInputItem => ({ role: 'user', content: `m${at}` }),
  );

  test.each([1, 2, 3])('that is interrupted after step %i goes on where it was', async (last) => {
    /** Its process is gone after a step that was applied, before it could take note of that. */
    class Interrupted extends RedisSession {
      #steps = 0;

      override async applyHistoryTransaction(
        ...args: Parameters<RedisSession['applyHistoryTransaction']>
      ): Promise<void> {
        await super.applyHistoryTransaction(...args);
        if (++this.#steps === last) throw new Error('interrupted');
      }
    }
    const sessionId = freshId();
    const interrupted = migration.bringOver(new Interrupted({ sessionId, client: redis }), items);
    await expect(interrupted).rejects.toThrow('interrupted');
    const session = new RedisSession({ sessionId, client: redis });
    await migration.bringOver(session, items);
    expect(await session.getItems()).toEqual(items);
    await session.clearSession();
  });

  test('whose source grew meanwhile says so, and changes nothing', async () => {
    const session = new RedisSession({ sessionId: freshId(), client: redis });
    await migration.bringOver(session, items.slice(0, 3));
    const again = migration.bringOver(session, items.slice(0, 4));
    const failure = await again.catch((error: unknown) => error);
    expect(isSessionError(failure, 'OPERATION_CONFLICT')).toBe(true);
    expect(await session.getItems()).toEqual(items.slice(0, 3));
  });
});

describe('what somebody made at home', () => {
  test('is read from a list', async () => {
    const key = freshId();
    await redis.rpush(key, ...ITEMS.map((item) => JSON.stringify(item)));
    expect(await migration.readFromList(redis, key)).toEqual(ITEMS);
  });

  test('is read from a table', () => {
    const database = new DatabaseSync(':memory:');
    onTestFinished(() => database.close());
    database.exec('CREATE TABLE messages (id INTEGER PRIMARY KEY, thread TEXT, role TEXT, text TEXT)');
    const insert = database.prepare('INSERT INTO messages (thread, role, text) VALUES (?, ?, ?)');
    insert.run('a', 'user', 'What is the weather in Bern?');
    insert.run('b', 'user', 'Something else.');
    insert.run('a', 'assistant', 'Sunny.');
    expect(migration.readFromTable(database, 'a')).toEqual([QUESTION, ANSWER]);
  });
});
