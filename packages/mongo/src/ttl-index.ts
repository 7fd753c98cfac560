import { isSessionError, SessionError } from '@sessions/core';
import type { StoreCall } from '@sessions/core/store';
import type { Collection, CreateIndexesOptions, MongoClient } from 'mongodb';
import { mongoError } from './mongo-error.ts';
import type { RowDocument } from './row.ts';

/** For each client the collections that have the index, or are just given it (LIFE-3). */
const made = new WeakMap<MongoClient, Map<string, Promise<void>>>();

/**
 * Makes the server remove rows when their time has come; once a client and collection, by whoever needs it first.
 *
 * @throws SessionError `INCOMPATIBLE_STORE` if the server has no such indexes
 */
export function ttlIndexOf(
  collection: Collection<RowDocument>,
  options: CreateIndexesOptions,
  { signal }: StoreCall,
): Promise<void> {
  const { client } = collection.db;
  const known = made.get(client) ?? new Map<string, Promise<void>>();
  made.set(client, known);
  const making = known.get(collection.namespace) ?? create(collection, options);
  known.set(collection.namespace, making);
  const forget = () => {
    if (known.get(collection.namespace) === making) known.delete(collection.namespace);
  };
  making.catch(forget);
  // Another connection may have an answer for the next one who asks.
  signal.addEventListener('abort', forget);
  return making.finally(() => signal.removeEventListener('abort', forget));
}

async function create(collection: Collection<RowDocument>, options: CreateIndexesOptions): Promise<void> {
  try {
    await collection.createIndex({ removeAt: 1 }, { ...options, expireAfterSeconds: 0 });
  } catch (error) {
    // An index is made or not, whatever becomes of the reply: it can be asked for again.
    const known = mongoError(error, 'UNAVAILABLE');
    const { code } = error as { code?: unknown };
    // IndexOptionsConflict, IndexKeySpecsConflict: there is one on the same field, which is not a TTL index.
    if (!isSessionError(known, 'INCOMPATIBLE_STORE') && code !== 85 && code !== 86) throw known;
    const message =
      'The TTL index on `removeAt` that `ttlSeconds` needs cannot be made. Leave `ttlSeconds` out, or see the cause: ' +
      'the server has no TTL indexes (FerretDB 1 has none), or another index is in its place.';
    throw new SessionError('INCOMPATIBLE_STORE', { message, cause: known.cause });
  }
}
