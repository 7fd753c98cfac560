import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  agentScenarios,
  approvalScenario,
  approveInAnotherProcess,
  longConversation,
  official,
} from '@sessions/agent-runs';
import { type RunningDynamoDB, startDynamoDB } from '@sessions/servers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('real agent runs leave what they leave in the official session', () => {
  test.each(agentScenarios)('$name', async (scenario) => {
    const sessionId = crypto.randomUUID();
    const run = await scenario.run(() => new DynamoDBSession({ sessionId, client, tableName }));
    expect(run).toEqual(await official(scenario));
  });

  test('a human approval, given in another process', async () => {
    const sessionId = crypto.randomUUID();
    const run = await approveInAnotherProcess(() => new DynamoDBSession({ sessionId, client, tableName }), {
      module: new URL('../src/index.ts', import.meta.url).href,
      name: 'DynamoDBSession',
      options: { sessionId, tableName, clientConfig: configOf(server) },
    });
    expect(run).toEqual(await official(approvalScenario));
  });

  test('60 turns with tools, compacted on the way, some runs going on in other processes', async () => {
    const sessionId = crypto.randomUUID();
    const open = () => new DynamoDBSession({ sessionId, client, tableName });
    const { compactions, lengths, pids } = await longConversation(open, {
      module: new URL('../src/index.ts', import.meta.url).href,
      name: 'DynamoDBSession',
      options: { sessionId, tableName, clientConfig: configOf(server) },
    });
    expect(pids).toHaveLength(5);
    expect(compactions).toBeGreaterThan(10);
    expect(Math.max(...lengths)).toBeLessThan(30);
  });
});
