import type { AgentItem } from '@sessions/core';
import { invalidArgument, LogHistory, StoredSession, type StoreOptions } from '@sessions/core/store';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { MongoLog } from './mongo-log.ts';
import type { RowDocument } from './row.ts';

/** Where a session's collection is, if it is not given itself. */
interface Place {
  /** The database; by default the one that the client's URL names, or `test`. */
  databaseName?: string | undefined;
  /** The collection; `sessions` by default. Sessions in different collections share nothing (ID-3). */
  collectionName?: string | undefined;
}

/** What a {@link MongoSession} is built with. */
export type MongoSessionOptions = StoreOptions & {
  /** The conversation's id: any non-empty string. */
  sessionId: string;
} & (
    | (Place & {
        /** The application's client, which it also closes. How it reads and writes other collections does not matter here. */
        client: MongoClient;
        url?: undefined;
        collection?: undefined;
      })
    | (Place & {
        /** `mongodb://` or `mongodb+srv://`: the session opens a client of its own at its first call, until `close()`. */
        url: string;
        client?: undefined;
        collection?: undefined;
      })
    | {
        /** The application's collection, of whatever document type. Its client is the application's to close. */
        collection: Collection<Document>;
        client?: undefined;
        url?: undefined;
        databaseName?: undefined;
        collectionName?: undefined;
      }
  );

/**
 * A session in MongoDB 4.4 or later, standalone, as a replica set or sharded, or in what speaks its protocol: a log of
 * documents, each change one insert, without transactions.
 *
 * Reads are the primary's and majority-committed, writes are journaled by the majority, whatever the client's defaults
 * (GET-9). Building a session makes no call and, with a `client` or a `collection`, opens nothing.
 */
export class MongoSession<TItem = AgentItem> extends StoredSession<TItem> {
  /** @throws SessionError `INVALID_SESSION_ID`, `INVALID_ARGUMENT`, `INVALID_LIMIT`, `INCOMPATIBLE_STORE` */
  constructor(options: MongoSessionOptions) {
    const { sessionId } = options;
    super({
      adapter: 'mongo',
      protocolVersion: '1.0',
      sessionId,
      options,
      open: (resolved) => {
        const { collection, ownClient } = collectionOf(options, resolved.timeoutMs);
        return new LogHistory(new MongoLog(collection, sessionId, resolved, ownClient), resolved);
      },
    });
  }
}

function collectionOf(
  { client, url, collection, databaseName, collectionName }: MongoSessionOptions,
  timeoutMs: number,
): { collection: Collection<RowDocument>; ownClient?: MongoClient } {
  const given = [client, url, collection].filter((one) => one !== undefined);
  check(given.length === 1, 'Exactly one of `client`, `url` and `collection` is needed');
  if (collection !== undefined) {
    const isPlain = databaseName === undefined && collectionName === undefined;
    check(isPlain, 'A `collection` brings its own names; leave `databaseName` and `collectionName` out');
    check(has(collection, 'insertOne', 'bulkWrite'), '`collection` must be one of the mongodb driver');
    return { collection: collection as unknown as Collection<RowDocument> };
  }
  const isClient = url !== undefined || has(client, 'db', 'startSession');
  check(isClient, '`client` must be a MongoClient of the mongodb driver');
  const isName = collectionName === undefined || isCollectionName(collectionName);
  check(isName, '`collectionName` must be a name that MongoDB allows: no `$`, not empty, none of `system.`');
  const used = client ?? ownClientOf(url, timeoutMs);
  try {
    const found = used.db(databaseName).collection<RowDocument>(collectionName ?? 'sessions');
    return client === undefined ? { collection: found, ownClient: used } : { collection: found };
  } catch {
    invalidArgument('`databaseName` must be a name that MongoDB allows: no `.`, `$`, `/`, spaces, not empty');
  }
}

/** The driver refuses some names itself, and leaves others to the server. */
function isCollectionName(name: unknown): boolean {
  return typeof name === 'string' && /^(?!system\.|\.)[^$\0]+(?<!\.)$/.test(name);
}

function ownClientOf(url: unknown, timeoutMs: number): MongoClient {
  const isUrl = typeof url === 'string' && /^mongodb(\+srv)?:\/\//.test(url);
  check(isUrl, '`url` must be a string that begins with mongodb:// or mongodb+srv://');
  const whole = Math.ceil(timeoutMs);
  try {
    return new MongoClient(url, {
      // Soon enough for it to say why there is no server to be had.
      serverSelectionTimeoutMS: Math.ceil(timeoutMs / 2),
      connectTimeoutMS: whole,
      socketTimeoutMS: whole,
      waitQueueTimeoutMS: whole,
    });
  } catch {
    // Whatever it says may show the password.
    invalidArgument('The `url` cannot be read; percent-encode special characters in the password');
  }
}

function has(value: unknown, ...methods: string[]): boolean {
  const object = (value ?? {}) as Record<string, unknown>;
  return methods.every((method) => typeof object[method] === 'function');
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) invalidArgument(what);
}
