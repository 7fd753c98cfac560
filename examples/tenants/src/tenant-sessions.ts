import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBSession } from '@sessions/dynamodb';
import { MongoSession } from '@sessions/mongo';
import { RedisSession } from '@sessions/redis';
import type { Redis } from 'ioredis';
import type { MongoClient } from 'mongodb';
import type { Tenant } from './tenant.ts';

// The session id may be whatever a user is called: it never gets out of its tenant's prefix or collection (ID-3, SEC-2).

/** In Redis a tenant is a prefix of the keys, which an ACL can be limited to: `~tenant-acme:*`. */
export function redisSession(client: Redis, tenant: Tenant, sessionId: string): RedisSession {
  return new RedisSession({ client, sessionId, prefix: `tenant-${tenant}` });
}

/** In MongoDB a tenant is a collection, which a role can be limited to, and which is dropped in one go when the tenant leaves. */
export function mongoSession(client: MongoClient, tenant: Tenant, sessionId: string): MongoSession {
  return new MongoSession({ client, sessionId, collectionName: `sessions-${tenant}` });
}

/**
 * In DynamoDB a tenant is a prefix of the partition keys of one table, which a policy can be limited to by
 * `dynamodb:LeadingKeys`: `tenant-acme:*`. A tenant with a table of its own (`tableName`) can be deleted in one go.
 */
export function dynamoDBSession(client: DynamoDBClient, tenant: Tenant, sessionId: string): DynamoDBSession {
  return new DynamoDBSession({ client, sessionId, tableName: 'tenant-sessions', prefix: `tenant-${tenant}` });
}
