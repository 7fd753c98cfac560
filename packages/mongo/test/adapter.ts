import { randomUUID } from 'node:crypto';
import type {
  Address,
  Capabilities,
  ConformanceAdapter,
  Connection,
  StartedAdapter,
  StoreGap,
} from '@sessions/conformance';
import { type MongoEngine, startMongo } from '@sessions/servers';
import { MongoClient } from 'mongodb';
import { MongoSession } from '../src/index.ts';
import type { RowDocument } from '../src/row.ts';
import { collectionNameOf, PATIENCE, urlWith } from './place.ts';
import { Stored } from './stored.ts';

const SHARED = { unsupported: 'The server of MONGODB_URL may have other users.' };

/** What a client asks on its own account must not be what a fault of the kit meets. */
const QUIET = { serverMonitoringMode: 'poll', heartbeatFrequencyMS: 600_000 };

/** What does not hold there, though it may go well: its updates are not atomic, and a look takes the time of hundreds of writes. */
const FERRETDB_GAPS: readonly StoreGap[] = [
  {
    clause: 'CLR-3',
    title: 'what several clients remove at the same time is gone from the store',
    reason:
      'Of two conditional updates at once both succeed on FerretDB 1, and one undoes what the other erased.',
  },
  {
    clause: 'TXN-1',
    title: 'a transaction has its turn among clients that add without a pause',
    reason: 'FerretDB 1 reads a whole collection to find the newest event, while others write hundreds.',
  },
];

/** Mongo sessions on a real server, in a database of this run's own, which is dropped at the end. */
export async function startMongoAdapter({
  engine = 'mongodb',
}: {
  engine?: MongoEngine;
} = {}): Promise<StartedAdapter> {
  const server = await startMongo({ engine });
  const { host, port, url } = server;
  const databaseName = `conformance-${randomUUID()}`;
  const admin = new MongoClient(url);
  const database = admin.db(databaseName);
  const stored = (sessionId: string) =>
    new Stored(database.collection<RowDocument>(collectionNameOf({ sessionId })), sessionId);
  const capabilities: Capabilities = {
    transactions: true,
    rewrites: true,
    replacement: true,
    expiry: server.engine === 'ferretdb' ? { unsupported: 'FerretDB 1 has no TTL indexes.' } : true,
  };
  const connect = (address: Address, options = {}): Connection => {
    const client = new MongoClient(urlWith(url, address, { ...QUIET, ...options }));
    return {
      session({ namespace, ...request }) {
        const collectionName = collectionNameOf({ ...request, namespace });
        return new MongoSession<unknown>({ ...PATIENCE, ...request, client, databaseName, collectionName });
      },
      close: () => client.close(),
    };
  };
  const canFail = server.control && ['mongodb', 'secantusdb'].includes(server.engine);
  const adapter: ConformanceAdapter = {
    name: 'mongo',
    store: `${server.engine} ${server.version} (${server.source})`,
    capabilities,
    gaps: server.engine === 'ferretdb' ? FERRETDB_GAPS : [],
    open: async (address = { host, port }) => connect(address),
    wire: {
      address: { host, port },
      own({ namespace, ...request }, address) {
        return new MongoSession<unknown>({
          ...PATIENCE,
          ...request,
          url: urlWith(url, address, QUIET),
          databaseName,
          collectionName: collectionNameOf({ ...request, namespace }),
        });
      },
      openWithoutResending: async (address) => connect(address, { retryWrites: false, retryReads: false }),
    },
    processes: {
      module: new URL('./process.ts', import.meta.url).href,
      options: { url, databaseName },
      execArgv: ['--conditions=@sessions/source'],
    },
    backdoor: {
      plant: (sessionId, kind) =>
        stored(sessionId).plant(kind === 'held' ? '~9{"from":"a newer version"}' : '{"role":"us'),
      async contents() {
        const texts: string[] = [];
        for (const { collectionName } of await database.collections()) {
          texts.push(collectionName);
          for await (const { _id, head, texts: records } of database
            .collection<RowDocument>(collectionName)
            .find())
            texts.push(_id, head, ...records);
        }
        return texts;
      },
      records: (sessionId) => stored(sessionId).records(),
      lifetimes: (sessionId) => stored(sessionId).lifetimes(),
      throttle: canFail
        ? async (refuses) =>
            void (await admin.db('admin').command({
              configureFailPoint: 'failCommand',
              mode: refuses ? 'alwaysOn' : 'off',
              // Request rate too large, as Cosmos DB says it.
              data: { failCommands: ['insert', 'update', 'delete'], errorCode: 16_500 },
            }))
        : { unsupported: `This ${server.engine} cannot be told to refuse writes.` },
      restart: server.control
        ? async () => {
            await server.control?.kill();
            await server.control?.restart();
          }
        : SHARED,
      async removeDue(ms) {
        const removeAt = { $lte: new Date(Date.now() + ms) };
        for (const { collectionName } of await database.collections())
          await database.collection<RowDocument>(collectionName).deleteMany({ removeAt });
      },
      forget: { unsupported: 'A MongoDB server keeps nothing for its clients.' },
    },
  };
  return {
    adapter,
    async stop() {
      await database.dropDatabase();
      await admin.close();
      await server.stop();
    },
  };
}
