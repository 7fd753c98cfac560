import type { Connection, Json } from '@sessions/conformance';
import { MongoClient } from 'mongodb';
import { MongoSession } from '../src/index.ts';
import { collectionNameOf, PATIENCE } from './place.ts';

/** Opens Mongo sessions in another process, which share a client there. */
export async function open(options: Json): Promise<Connection> {
  const { url, databaseName } = options as { url: string; databaseName: string };
  const client = new MongoClient(url);
  return {
    session(request) {
      const { namespace, ...rest } = request;
      return new MongoSession<unknown>({
        ...PATIENCE,
        ...rest,
        client,
        databaseName,
        collectionName: collectionNameOf(request),
      });
    },
    close: () => client.close(),
  };
}
