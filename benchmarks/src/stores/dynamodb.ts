import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  PutItemCommand,
  QueryCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { AgentInputItem } from '@openai/agents';
import { createSessionsTable, DynamoDBSession } from '@sessions/dynamodb';
import { startDynamoDB } from '@sessions/servers';
import type { Contender, Conversation } from '../contender.ts';
import { TURN } from '../items.ts';
import type { Peers } from '../peers.ts';
import { langChain } from './langchain.ts';
import { mastra } from './mastra.ts';
import { ours, turnsOf } from './ours.ts';
import type { Store } from './store.ts';

/** The most rows that DynamoDB takes in one batch. */
const BATCH = 25;

/** It puts messages one after another. */
const LONGEST_OF_MASTRA = 1_000;

export async function openDynamoDB({ langchain, mastra: { DynamoDBStore }, version }: Peers): Promise<Store> {
  const server = await startDynamoDB();
  const { url: endpoint, region, credentials } = server;
  const config = { endpoint, region, credentials };
  const client = new DynamoDBClient(config);
  const tableName = `bench-${randomUUID()}`;
  const langChainTable = `${tableName}-langchain`;
  const mastraTable = `${tableName}-mastra`;
  await createSessionsTable(client, { tableName });
  await createTable(client, {
    TableName: langChainTable,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  });
  // As its documents ask for.
  await createTable(client, {
    TableName: mastraTable,
    KeySchema: keysOf('pk', 'sk'),
    GlobalSecondaryIndexes: ['gsi1', 'gsi2'].map((IndexName) => ({
      IndexName,
      KeySchema: keysOf(`${IndexName}pk`, `${IndexName}sk`),
      Projection: { ProjectionType: 'ALL' },
    })),
  });
  const itsStore = new DynamoDBStore({
    name: 'bench',
    config: { id: 'bench', tableName: mastraTable, ...config },
  });
  await itsStore.init();
  return {
    title: 'DynamoDB',
    server: `${server.engine} ${server.version}`,
    ours: ours('@sessions/dynamodb', (sessionId) => new DynamoDBSession({ sessionId, client, tableName })),
    raw: rawRows(client, tableName),
    peers: [
      langChain(`@langchain/community ${version('@langchain/community')}`, langchain, {
        open: (sessionId) =>
          new langchain.DynamoDBChatMessageHistory({ tableName: langChainTable, sessionId, config }),
        fill: (history, _, messages) => history.addMessages(messages),
      }),
      mastra(`@mastra/dynamodb ${version('@mastra/dynamodb')}`, (await itsStore.getStore('memory'))!, {
        longest: LONGEST_OF_MASTRA,
      }),
    ],
    async close() {
      for (const TableName of [tableName, langChainTable, mastraTable])
        await client.send(new DeleteTableCommand({ TableName }));
      client.destroy();
      await server.stop();
    },
  };
}

function keysOf(hash: string, range: string): KeySchemaElement[] {
  return [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];
}

/** Makes a table whose keys are all strings, and waits until it is there. */
async function createTable(
  client: DynamoDBClient,
  table: Pick<CreateTableCommandInput, 'TableName' | 'KeySchema' | 'GlobalSecondaryIndexes'>,
): Promise<void> {
  const keys = [table, ...(table.GlobalSecondaryIndexes ?? [])].flatMap(({ KeySchema = [] }) => KeySchema);
  await client.send(
    new CreateTableCommand({
      ...table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' })),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 300 }, { TableName: table.TableName });
}

type Item = Record<string, AttributeValue>;

/** The least that keeps a conversation: a row for each addition, with no condition, read backwards. */
function rawRows(client: DynamoDBClient, TableName: string): Contender<string[]> {
  let rows = 0;
  const rowOf = (pk: string, texts: readonly string[]): Item => ({
    pk: { S: pk },
    sk: { S: String(++rows).padStart(15, '0') },
    texts: { L: texts.map((S) => ({ S })) },
  });
  const conversation = (pk: string): Conversation<string[]> => ({
    add: (texts) => client.send(new PutItemCommand({ TableName, Item: rowOf(pk, texts) })),
    async newest(limit = Number.POSITIVE_INFINITY) {
      const found: unknown[][] = [];
      let missing = limit;
      let from: Item | undefined;
      do {
        const page = await client.send(
          new QueryCommand({
            TableName,
            ConsistentRead: true,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': { S: pk } },
            ScanIndexForward: false,
            Limit: missing === Number.POSITIVE_INFINITY ? undefined : Math.ceil(missing / TURN),
            ExclusiveStartKey: from,
          }),
        );
        for (const { texts } of page.Items ?? []) {
          const items = texts!.L!.map(({ S }) => JSON.parse(S!) as unknown);
          found.push(items);
          missing -= items.length;
        }
        from = page.LastEvaluatedKey;
      } while (from && missing > 0);
      return found.reverse().flat().slice(-limit);
    },
    again: () => conversation(pk),
  });
  const batch = (items: readonly AgentInputItem[]) => items.map((item) => JSON.stringify(item));
  return {
    name: 'the bare driver',
    batch,
    async begin(items) {
      const pk = `raw:${randomUUID()}`;
      const turns = turnsOf(batch(items));
      for (let start = 0; start < turns.length; start += BATCH) {
        const requests = turns.slice(start, start + BATCH).map((texts) => ({
          PutRequest: { Item: rowOf(pk, texts) },
        }));
        await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
      }
      return conversation(pk);
    },
  };
}
