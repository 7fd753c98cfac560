import { randomUUID } from 'node:crypto';
import type { AgentInputItem } from '@openai/agents';
import { MongoSession } from '@sessions/mongo';
import { type RunningMongo, ServerUnavailableError, startMongo } from '@sessions/servers';
import { type Collection, MongoClient } from 'mongodb';
import type { Contender, Conversation } from '../contender.ts';
import { TURN } from '../items.ts';
import type { Peers } from '../peers.ts';
import { langChain } from './langchain.ts';
import { mastra } from './mastra.ts';
import { ours, turnsOf } from './ours.ts';
import type { Store } from './store.ts';

export async function openMongo({ langchain, mastra: { MongoDBStore }, version }: Peers): Promise<Store> {
  const server = await start();
  // A stand-in reads a whole collection to find a range of its index, so conversations have one each there.
  const isStandIn = server.engine !== 'mongodb';
  const client = new MongoClient(server.url);
  const databaseName = `bench-${randomUUID()}`;
  const database = client.db(databaseName);
  const itsCollection = database.collection('langchain');
  // It makes no index of its own, and would read every session for each call; not unique, or its writers would fail.
  await itsCollection.createIndex({ sessionId: 1 });
  const itsStore = new MongoDBStore({ id: databaseName, uri: server.url, dbName: databaseName });
  await itsStore.init();
  return {
    title: 'MongoDB',
    server: `${server.engine} ${server.version}`,
    readsWholeRanges: isStandIn,
    ours: ours('@sessions/mongo', (sessionId) => {
      const collectionName = isStandIn ? sessionId : 'sessions';
      return new MongoSession({ sessionId, client, databaseName, collectionName });
    }),
    raw: rawDocuments((id) => database.collection<Row>(isStandIn ? id : 'raw')),
    peers: [
      langChain(`@langchain/mongodb ${version('@langchain/mongodb')}`, langchain, {
        open: (sessionId) =>
          new langchain.MongoDBChatMessageHistory({ collection: itsCollection, sessionId }),
        fill: (_, sessionId, messages) =>
          itsCollection.insertOne({
            sessionId,
            messages: langchain.mapChatMessagesToStoredMessages(messages),
          }),
      }),
      mastra(`@mastra/mongodb ${version('@mastra/mongodb')}`, (await itsStore.getStore('memory'))!),
    ],
    async close() {
      await itsStore.close?.();
      await database.dropDatabase();
      await client.close();
      await server.stop();
    },
  };
}

/** A MongoDB, or else the stand-in that reads by its index, or else the one that is started for tests. */
async function start(): Promise<RunningMongo> {
  const server = await startMongo();
  if (server.engine !== 'secantusdb') return server;
  try {
    const faster = await startMongo({ engine: 'secantusdb-rs' });
    await server.stop();
    return faster;
  } catch (error) {
    if (!(error instanceof ServerUnavailableError)) throw error;
    return server;
  }
}

interface Row {
  readonly _id: string;
  readonly texts: readonly string[];
}

/** The least that keeps a conversation as safely: a document for each addition, read backwards. */
function rawDocuments(collectionOf: (id: string) => Collection<Row>): Contender<string[]> {
  let rows = 0;
  const rowOf = (id: string, texts: readonly string[]): Row => ({
    _id: `${id}/${String(++rows).padStart(15, '0')}`,
    texts,
  });
  const writeConcern = { w: 'majority', journal: true } as const;
  const conversation = (id: string): Conversation<string[]> => ({
    add: (texts) => collectionOf(id).insertOne(rowOf(id, texts), { writeConcern }),
    async newest(limit) {
      const rows = await collectionOf(id)
        .find({ _id: { $gte: `${id}/`, $lt: `${id}0` } })
        .sort({ _id: -1 })
        .limit(limit === undefined ? 0 : Math.ceil(limit / TURN))
        .toArray();
      const items = rows.reverse().flatMap(({ texts }) => texts.map((text) => JSON.parse(text) as unknown));
      return limit === undefined ? items : items.slice(-limit);
    },
    again: () => conversation(id),
  });
  const batch = (items: readonly AgentInputItem[]) => items.map((item) => JSON.stringify(item));
  return {
    name: 'the bare driver',
    batch,
    async begin(items) {
      const id = randomUUID();
      if (items.length > 0) {
        await collectionOf(id).insertMany(turnsOf(batch(items)).map((texts) => rowOf(id, texts)));
      }
      return conversation(id);
    },
  };
}
