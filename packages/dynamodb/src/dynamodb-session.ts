import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type AgentItem, SessionError } from '@sessions/core';
import { LogHistory, StoredSession, type StoreOptions } from '@sessions/core/store';
import { DynamoDBLog } from './dynamodb-log.ts';
import { partitionOf } from './partition.ts';
import { resolveTable, type SessionsTable } from './sessions-table.ts';

/** What a {@link DynamoDBSession} is built with. */
export type DynamoDBSessionOptions = StoreOptions &
  SessionsTable & {
    /** The conversation's id: any non-empty string. */
    sessionId: string;
    /** What all partition keys begin with; `sessions` by default. Sessions under different prefixes share nothing (ID-3). */
    prefix?: string | undefined;
  } & (
    | {
        /** The application's client, which it also destroys. Its retries and its other options hold. */
        client: DynamoDBClient;
        clientConfig?: undefined;
      }
    | {
        /**
         * What a client of the session's own is built with, which lives until `close()`; region, endpoint and credentials
         * come from the environment, if left out.
         */
        clientConfig?: DynamoDBClientConfig | undefined;
        client?: undefined;
      }
  );

/**
 * A session in a table of Amazon DynamoDB, which {@link createSessionsTable} makes: a row for each write, of plain JSON, put
 * there under a condition. It needs no transactions.
 *
 * An append is one put; a read is one query for each megabyte; others take both. Building a session makes no call.
 */
export class DynamoDBSession<TItem = AgentItem> extends StoredSession<TItem> {
  /** @throws SessionError `INVALID_SESSION_ID`, `INVALID_ARGUMENT`, `INVALID_LIMIT` */
  constructor(options: DynamoDBSessionOptions) {
    const { sessionId, prefix = 'sessions', client, clientConfig } = options;
    super({
      adapter: 'dynamodb',
      sessionId,
      options,
      open: (resolved) => {
        if (typeof prefix !== 'string') invalid('`prefix` must be a string');
        const table = resolveTable(options);
        const partition = partitionOf(prefix, sessionId);
        if (client === undefined) {
          const own = new DynamoDBClient(clientConfig ?? {});
          return new LogHistory(new DynamoDBLog(own, table, partition, true), resolved);
        }
        if (clientConfig !== undefined) invalid('Give either `client` or `clientConfig`, not both');
        if (!isClient(client))
          invalid('`client` must be a DynamoDBClient of @aws-sdk/client-dynamodb, version 3');
        return new LogHistory(new DynamoDBLog(client, table, partition, false), resolved);
      },
    });
  }
}

function isClient(client: unknown): client is DynamoDBClient {
  const { send, middlewareStack, config } = (client ?? {}) as Record<string, unknown>;
  return typeof send === 'function' && typeof middlewareStack === 'object' && typeof config === 'object';
}

function invalid(what: string): never {
  throw new SessionError('INVALID_ARGUMENT', { message: `${what}.` });
}
