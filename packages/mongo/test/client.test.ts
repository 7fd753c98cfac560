import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { FaultProxy } from '@sessions/conformance';
import { isSessionError } from '@sessions/core';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MongoSession, type MongoSessionOptions } from '../src/index.ts';
import { freshId, message, mongoForTests } from './server.ts';

const mongo = mongoForTests();

async function proxied(): Promise<FaultProxy> {
  const { host, port } = mongo.server();
  const proxy = await FaultProxy.before({ host, port });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Its own questions to the server are not what a fault is to meet. */
const QUIET: MongoClientOptions = { serverMonitoringMode: 'poll', heartbeatFrequencyMS: 600_000 };

describe('a client handed in is used as it should be, whatever it was told', () => {
  const defaults: readonly [name: string, options: MongoClientOptions][] = [
    ['reads from secondaries', { readPreference: 'secondary' }],
    ['reads what no majority has', { readConcernLevel: 'local' }],
    ['writes that nobody acknowledges', { writeConcern: { w: 0 } }],
    ['writes that one server acknowledges', { writeConcern: { w: 1, journal: false } }],
    ['no resending', { retryWrites: false, retryReads: false }],
    ['wrapped values', { promoteValues: false, promoteLongs: false }],
    ['big integers', { useBigInt64: true }],
    ['raw documents', { raw: true }],
    ['undefined left out', { ignoreUndefined: true, serializeFunctions: true, checkKeys: true }],
    ['raw fields', { fieldsAsRaw: { texts: true, head: true } }],
    ['ids by the server', { forceServerObjectId: true }],
    ['one connection', { maxPoolSize: 1 }],
  ];
  test.each(defaults)('%s: all operations, and exactly once when a reply is lost', async (_name, options) => {
    const proxy = await proxied();
    const client = mongo.client({ ...QUIET, ...options, monitorCommands: true }, proxy.address);
    const session = new MongoSession<object>({ sessionId: freshId(), client, ttlSeconds: 1_000 });
    const sent: Record<string, unknown>[] = [];
    client.on('commandStarted', ({ command }) => sent.push(command));
    await session.addItems([message(0), message(1)]);
    const lostAdd = proxy.loseNextReply();
    await session.addItems([message(2)]);
    await lostAdd;
    expect(await session.getItems()).toEqual([message(0), message(1), message(2)]);
    for (const before of [0, 1, 2]) {
      const lost = proxy.loseNextReply(before);
      expect(await session.popItem()).toEqual(message(2));
      await lost;
      await session.addItems([message(2)]);
    }
    await session.applyHistoryTransaction({
      operationId: 'a',
      transaction: {
        type: 'replace_suffix',
        expectedSuffix: [message(1), message(2)],
        replacement: [message(3)],
      },
    });
    expect(await session.getItems()).toEqual([message(0), message(3)]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    for (const { find, readConcern, $readPreference } of sent) {
      if (!find) continue;
      expect(readConcern).toEqual({ level: 'majority' });
      // A direct connection is asked for whatever it leads to.
      const { mode = 'primary' } = ($readPreference ?? {}) as { mode?: string };
      expect(['primary', 'primaryPreferred']).toContain(mode);
    }
    for (const { insert, update, delete: deleted, writeConcern } of sent) {
      if (insert || update || deleted) expect(writeConcern).toEqual({ w: 'majority', j: true });
    }
  });

  test('a collection handed in has its own settings, which do not hold either', async () => {
    const client = mongo.client();
    const collection = client
      .db('elsewhere', { readPreference: 'secondary' })
      .collection('chats', { writeConcern: { w: 0 }, promoteValues: false });
    const session = new MongoSession<object>({ sessionId: freshId(), collection });
    await session.addItems([message(0), message(1)]);
    expect(await session.popItem()).toEqual(message(1));
    expect(await session.getItems()).toEqual([message(0)]);
    await session.close();
    expect(await client.db('elsewhere').collection('chats').countDocuments()).toBeGreaterThan(0);
  });

  test('whoever watches its commands may copy them and write them down', async () => {
    const client = mongo.client({ monitorCommands: true });
    const seen: string[] = [];
    client.on('commandStarted', ({ command }) => seen.push(JSON.stringify(structuredClone(command))));
    const session = new MongoSession<object>({ sessionId: freshId(), client });
    await session.addItems([message(0), message(1)]);
    expect(await session.popItem()).toEqual(message(1));
    expect(await session.getItems()).toEqual([message(0)]);
    expect(seen.length).toBeGreaterThan(3);
  });

  test('the database and the collection are those that were named', async () => {
    const client = mongo.client();
    const sessionId = freshId();
    const session = new MongoSession<object>({ sessionId, client, databaseName: 'd', collectionName: 'c' });
    await session.addItems([message(0)]);
    const [found] = await client.db('d').collection('c').find().toArray();
    expect(found).toMatchObject({
      _id: `${sessionId}/e000000000000001`,
      texts: [JSON.stringify(message(0))],
    });
    expect(await new MongoSession<object>({ sessionId, client }).getItems()).toEqual([]);
  });
});

describe('a write that may still happen', () => {
  test('is never sent when the caller was told that nothing was written', async () => {
    const proxy = await proxied();
    const client = mongo.client(QUIET, proxy.address);
    const session = new MongoSession<object>({ sessionId: freshId(), client, timeoutMs: 300 });
    await session.addItems([message(0)]);
    proxy.refuse();
    await expect(session.getItems()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    proxy.pass();
    const patient = new MongoSession<object>({ sessionId: session.sessionId, client });
    expect(await patient.getItems()).toEqual([message(0)]);
    await patient.addItems([message(2)]);
    expect(await patient.getItems()).toEqual([message(0), message(2)]);
  });

  test('is reported as unknown once it was sent, and is there once', async () => {
    const proxy = await proxied();
    const client = mongo.client(QUIET, proxy.address);
    const session = new MongoSession<object>({ sessionId: freshId(), client, timeoutMs: 500 });
    await session.addItems([message(0)]);
    const lost = proxy.loseNextReply();
    const adding = session.addItems([message(1)]);
    void adding.catch(() => undefined);
    await lost;
    proxy.refuse();
    await expect(adding).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    proxy.pass();
    const direct = new MongoSession<object>({ sessionId: session.sessionId, client: mongo.client() });
    expect(await direct.getItems()).toEqual([message(0), message(1)]);
  });
});

describe('the TTL index', () => {
  test('that got no answer is asked for by the next write', async () => {
    const proxy = await proxied();
    const client = mongo.client(QUIET, proxy.address);
    const open = () =>
      new MongoSession<object>({ sessionId: freshId(), client, ttlSeconds: 60, timeoutMs: 1_000 });
    const session = open();
    await session.getItems();
    const stalled = proxy.stallNextRequest();
    const adding = expect(session.addItems([message(0)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await stalled;
    await adding;
    const next = open();
    await next.addItems([message(1)]);
    expect(await next.getItems()).toEqual([message(1)]);
    proxy.pass();
  });
});

test('a replica set is found by its members, and its primary reads and writes', async (context) => {
  const { host, port } = mongo.server();
  const { setName } = await mongo.client().db('admin').command({ hello: 1 });
  // A mongod is none unless it is told to be.
  context.skip(setName === undefined, 'This server is no member of a replica set.');
  const client = new MongoClient(`mongodb://${host}:${port}/?replicaSet=${setName}`, {
    readPreference: 'secondaryPreferred',
    monitorCommands: true,
  });
  onTestFinished(() => client.close());
  const sent: Record<string, unknown>[] = [];
  client.on('commandStarted', ({ command }) => sent.push(command));
  let topology: string | undefined;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    topology = newDescription.type;
  });
  const session = new MongoSession<object>({ sessionId: freshId(), client });
  await session.addItems([message(0), message(1)]);
  const transaction = { type: 'append_items' as const, items: [message(2)] };
  await session.applyHistoryTransaction({ operationId: 'a', transaction });
  expect(await session.popItem()).toEqual(message(2));
  expect(await session.getItems()).toEqual([message(0), message(1)]);
  await session.clearSession();
  expect(await session.getItems()).toEqual([]);
  expect(topology).toBe('ReplicaSetWithPrimary');
  // A primary is what is read unless a command says otherwise.
  expect(sent.map(({ $readPreference }) => $readPreference)).toEqual(sent.map(() => undefined));
});

describe('what a session is built with', () => {
  const refused: readonly [name: string, options: () => Record<string, unknown>][] = [
    ['nothing', () => ({})],
    ['an http URL', () => ({ url: 'http://localhost' })],
    ['no URL', () => ({ url: '' })],
    ['a number for a URL', () => ({ url: 7 })],
    ['a URL without a host', () => ({ url: 'mongodb://' })],
    ['an empty client', () => ({ client: {} })],
    ['null for a client', () => ({ client: null })],
    ['a database for a client', () => ({ client: mongo.client().db() })],
    ['a client and a URL', () => ({ client: mongo.client(), url: mongo.server().url })],
    ['a collection that is none', () => ({ collection: { find: () => undefined } })],
    [
      'a collection and a name',
      () => ({ collection: mongo.client().db().collection('a'), collectionName: 'a' }),
    ],
    ['an empty collection name', () => ({ client: mongo.client(), collectionName: '' })],
    ['a collection name with a dollar', () => ({ client: mongo.client(), collectionName: 'a$b' })],
    ['an object for a collection name', () => ({ client: mongo.client(), collectionName: { $ne: 1 } })],
    ['a database name with a dot', () => ({ client: mongo.client(), databaseName: 'a.b' })],
  ];
  test.each(refused)('%s is refused', (_name, options) => {
    const build = () => new MongoSession({ sessionId: 'a', ...options() } as MongoSessionOptions);
    expect(build).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', adapter: 'mongo' }) as Error);
  });

  test('a URL that cannot be read shows no password', () => {
    const build = () =>
      new MongoSession({ sessionId: 'a', url: 'mongodb://u:hunter2/@localhost:1:2/?x=hunter2' });
    const error = failure(build);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
  });

  test('a client that was closed is reported at once', async () => {
    const client = new MongoClient(mongo.server().url);
    const session = new MongoSession<object>({ sessionId: freshId(), client });
    await session.addItems([message(0)]);
    await client.close();
    const started = performance.now();
    for (const call of [() => session.getItems(), () => session.addItems([message(1)])]) {
      await expect(call()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: false });
    }
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test('a client that has given up to connect is told to go on', async () => {
    const proxy = await proxied();
    proxy.refuse();
    const client = mongo.client({ ...QUIET, serverSelectionTimeoutMS: 100 }, proxy.address);
    const session = new MongoSession<object>({ sessionId: freshId(), client, timeoutMs: 1_000 });
    await expect(session.addItems([message(0)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(client.db().command({ ping: 1 })).rejects.toThrow();
    proxy.pass();
    await session.addItems([message(1)]);
    expect(await session.getItems()).toEqual([message(1)]);
  });

  test('a client that is closed under a call stays closed', async () => {
    const proxy = await proxied();
    const client = new MongoClient(
      `mongodb://${proxy.address.host}:${proxy.address.port}/?directConnection=true`,
      QUIET,
    );
    const session = new MongoSession<object>({ sessionId: freshId(), client, timeoutMs: 3_000 });
    await session.addItems([message(0)]);
    const reading = Array.from({ length: 20 }, () =>
      new MongoSession<object>({ sessionId: session.sessionId, client, timeoutMs: 3_000 }).getItems(),
    );
    const settled = Promise.allSettled(reading);
    await client.close();
    for (const outcome of await settled) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'UNAVAILABLE' });
    }
    await expect(session.getItems()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: false });
    await expect.poll(() => proxy.clients).toBe(0);
  });

  test.each([
    ['while it is told to go on', 5_000],
    ['after it was told to go on', 800],
  ])(
    'LIFE-1 a client that has given up to connect, and is closed %s, stays closed',
    async (_when, timeoutMs) => {
      const proxy = await proxied();
      proxy.refuse();
      const client = mongo.client({ ...QUIET, serverSelectionTimeoutMS: 150 }, proxy.address);
      const session = new MongoSession<object>({ sessionId: freshId(), client, timeoutMs });
      const adding = expect(session.addItems([message(0)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await sleep(1_000);
      await client.close();
      proxy.pass();
      await adding;
      await expect(session.getItems()).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: false });
      expect(proxy.clients).toBe(0);
    },
  );

  test('a session with a URL opens its client at the first call and ends it', async () => {
    const proxy = await proxied();
    const url = `mongodb://${proxy.address.host}:${proxy.address.port}/?directConnection=true`;
    const session = new MongoSession<object>({ sessionId: freshId(), url });
    expect(proxy.clients).toBe(0);
    await session.addItems([message(0)]);
    expect(proxy.clients).toBeGreaterThan(0);
    await session.close();
    await expect.poll(() => proxy.clients).toBe(0);
  });
});

function failure(build: () => unknown): unknown {
  try {
    return build();
  } catch (error) {
    expect(isSessionError(error)).toBe(true);
    return error;
  }
}
