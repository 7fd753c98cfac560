import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { agentTests } from '@sessions/agent-runs/tests';
import { type RunningDynamoDB, startDynamoDB } from '@sessions/servers';
import { afterAll, beforeAll } from 'vitest';
import { createSessionsTable, DynamoDBSession } from '../src/index.ts';
import { configOf } from './adapter.ts';

const tableName = `agents-${crypto.randomUUID()}`;

let server: RunningDynamoDB;
let client: DynamoDBClient;

beforeAll(async () => {
  server = await startDynamoDB();
  client = new DynamoDBClient(configOf(server));
  await createSessionsTable(client, { tableName });
});
afterAll(async () => {
  client.destroy();
  await server.stop();
});

agentTests({
  open: (sessionId) => new DynamoDBSession({ sessionId, client, tableName }),
  elsewhere: (sessionId) => ({
    module: new URL('../src/index.ts', import.meta.url).href,
    name: 'DynamoDBSession',
    options: { sessionId, tableName, clientConfig: configOf(server) },
  }),
});
