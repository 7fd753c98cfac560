import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Session } from '@sessions/core';
import { createSessionsTable } from '@sessions/dynamodb';
import { startDynamoDB, startMongo, startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import type { Tenant } from './tenant.ts';
import { dynamoDBSession, mongoSession, redisSession } from './tenant-sessions.ts';

export interface Store {
  readonly open: (tenant: Tenant, sessionId: string) => Session;
  stop(): Promise<void>;
}

/** The three stores: those of REDIS_URL, MONGODB_URL and DYNAMODB_URL, or what can be started on this machine. */
export const stores = {
  redis: async (): Promise<Store> => {
    const server = await startRedis();
    const client = new Redis(server.url);
    return {
      open: (tenant, sessionId) => redisSession(client, tenant, sessionId),
      async stop() {
        await client.quit();
        await server.stop();
      },
    };
  },
  mongo: async (): Promise<Store> => {
    const server = await startMongo();
    const client = new MongoClient(server.url);
    return {
      open: (tenant, sessionId) => mongoSession(client, tenant, sessionId),
      async stop() {
        await client.close();
        await server.stop();
      },
    };
  },
  dynamodb: async (): Promise<Store> => {
    const { url: endpoint, region, credentials, stop } = await startDynamoDB();
    const client = new DynamoDBClient({ endpoint, region, credentials });
    await createSessionsTable(client, { tableName: 'tenant-sessions' });
    return {
      open: (tenant, sessionId) => dynamoDBSession(client, tenant, sessionId),
      async stop() {
        client.destroy();
        await stop();
      },
    };
  },
};
