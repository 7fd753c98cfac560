import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Connection, Json, SessionRequest } from '@sessions/conformance';
import { DynamoDBSession } from '../src/index.ts';
import { type Tables, tableOf } from './tables.ts';

/** Opens DynamoDB sessions in another process, all on a client of its own. */
export async function open(options: Json): Promise<Connection> {
  const { tables, prefix, patience, ...config } = options as {
    tables: Tables;
    prefix: string;
    patience: number;
    endpoint: string;
    region: string;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  const client = new DynamoDBClient(config);
  return {
    session({ namespace = '', ...request }) {
      const tableName = tableOf(tables, request.sessionId);
      return new DynamoDBSession<unknown>({
        ...request,
        timeoutMs: timeFor(request, patience),
        client,
        tableName,
        prefix: prefix + namespace,
      });
    },
    close: async () => client.destroy(),
  };
}

/** How long a call may take on a server that is so many times as slow as others. */
export function timeFor({ timeoutMs = 10_000 }: SessionRequest, patience: number): number {
  return timeoutMs * patience;
}
