import { randomUUID } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Address } from '@sessions/conformance';
import { type RunningDynamoDB, startDynamoDB } from '@sessions/servers';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createSessionsTable } from '../src/index.ts';
import { configOf } from './adapter.ts';

/** A server for the tests of one file, with the table `sessions`, and clients that end with the test that made them. */
export function dynamodbForTests(): {
  server(): RunningDynamoDB;
  client(config?: DynamoDBClientConfig, address?: Address): DynamoDBClient;
} {
  let running: RunningDynamoDB | undefined;
  beforeAll(async () => {
    // Of its own, since these tests kill it and name its tables.
    running = await startDynamoDB({ engine: 'dynalite' });
    const client = new DynamoDBClient(configOf(running));
    await createSessionsTable(client);
    client.destroy();
  });
  afterAll(() => running?.stop());
  const server = () => running!;
  return {
    server,
    client(config, address) {
      const client = new DynamoDBClient({ ...configOf(server(), address), ...config });
      onTestFinished(() => client.destroy());
      return client;
    },
  };
}

/** The commands that a client sends while something runs, each try of one counted. */
export async function sentBy(client: DynamoDBClient, run: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  client.middlewareStack.add(
    (next, context) => (args) => {
      sent.push(String(context.commandName).replace(/Command$/, ''));
      return next(args);
    },
    { name: 'counted', step: 'finalizeRequest', priority: 'low' },
  );
  try {
    await run();
  } finally {
    client.middlewareStack.remove('counted');
  }
  return sent;
}

export function freshId(): string {
  return `test-${randomUUID()}`;
}

export function message(index: number): { role: 'user'; content: string } {
  return { role: 'user', content: `m${index}` };
}

export function messages(from: number, to: number): { role: 'user'; content: string }[] {
  return Array.from({ length: to - from }, (_, at) => message(from + at));
}
