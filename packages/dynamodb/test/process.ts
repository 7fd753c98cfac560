import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Connection, Json } from '@sessions/conformance';
import { DynamoDBSession } from '../src/index.ts';
import { type Tables, tableOf } from './tables.ts';

/** Opens DynamoDB sessions in another process, all on a client of its own. */
export async function open(options: Json): Promise<Connection> {
  const { tables, prefix, ...config } = options as {
    tables: Tables;
    prefix: string;
    endpoint: string;
    region: string;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  const client = new DynamoDBClient(config);
  return {
    session({ namespace = '', ...request }) {
      const tableName = tableOf(tables, request.sessionId);
      return new DynamoDBSession<unknown>({ ...request, client, tableName, prefix: prefix + namespace });
    },
    close: async () => client.destroy(),
  };
}
