import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { AgentItem } from '@sessions/core';
import { invalidArgument, LogHistory, StoredSession, type StoreOptions } from '@sessions/core/store';
import { DynamoDBLog } from './dynamodb-log.ts';
import { LONGEST_PREFIX, partitionOf } from './partition.ts';
import { resolveTable, type SessionsTable } from './sessions-table.ts';

/** What a {@link DynamoDBSession} is built with. */
export interface DynamoDBSessionOptions extends StoreOptions, SessionsTable {
  /** The conversation's id: any non-empty string. */
  sessionId: string;
  /**
   * What all partition keys begin with: at most 255 characters, `sessions` by default. Sessions under different prefixes
   * share nothing (ID-3).
   */
  prefix?: string | undefined;
  /** The application's client, which it also destroys. Its retries and its other options hold. */
  client?: DynamoDBClient | undefined;
  /**
   * Without a `client`: what the session's own is built with, which lives until `close()`. Region, endpoint and credentials
   * come from the environment, if left out.
   */
  clientConfig?: DynamoDBClientConfig | undefined;
}

/**
 * A session in a table of Amazon DynamoDB, which {@link createSessionsTable} makes: a row for each write, of plain JSON, put
 * there under a condition. It needs no transactions.
 *
 * An append after a read or a write of the same instance is one put; a read is one query for each megabyte or 1,000 rows. What every call
 * costs is in the README of the package. Building a session makes no call.
 */
export class DynamoDBSession<TItem = AgentItem> extends StoredSession<TItem> {
  /** @throws SessionError `INVALID_SESSION_ID`, `INVALID_ARGUMENT`, `INVALID_LIMIT`, `INCOMPATIBLE_STORE` */
  constructor(options: DynamoDBSessionOptions) {
    const { sessionId, prefix = 'sessions', client, clientConfig } = options;
    super({
      adapter: 'dynamodb',
      protocolVersion: '1.0',
      sessionId,
      options,
      open: (resolved) => {
        if (typeof prefix !== 'string' || prefix.length > LONGEST_PREFIX)
          invalidArgument(`\`prefix\` must be a string of at most ${LONGEST_PREFIX} characters`);
        if (client !== undefined && clientConfig !== undefined)
          invalidArgument('Give either `client` or `clientConfig`, not both');
        if (client !== undefined && !isClient(client))
          invalidArgument('`client` must be a DynamoDBClient of @aws-sdk/client-dynamodb, version 3');
        const table = resolveTable(options);
        const own = client === undefined ? new DynamoDBClient(clientConfig ?? {}) : undefined;
        const log = new DynamoDBLog(client ?? own!, table, partitionOf(prefix, sessionId), own !== undefined);
        return new LogHistory(log, resolved);
      },
    });
  }
}

function isClient(client: unknown): boolean {
  const { send, middlewareStack, config } = Object(client) as Record<string, unknown>;
  return typeof send === 'function' && typeof middlewareStack === 'object' && typeof config === 'object';
}
