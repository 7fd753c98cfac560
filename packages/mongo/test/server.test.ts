import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { SessionErrorCode } from '@sessions/core';
import { BSON } from 'mongodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MongoSession } from '../src/index.ts';
import { urlWith } from './place.ts';
import { refused, SECRET } from './refused.ts';
import { freshId, message, mongoForTests } from './server.ts';

const mongo = mongoForTests();
const guarded = mongoForTests({ args: ['--auth'] });

/** Both calls fail with this code, and show neither content nor password. */
async function bothRefused(
  session: MongoSession<object>,
  code: SessionErrorCode,
  advice: RegExp,
): Promise<void> {
  for (const call of [() => session.addItems([SECRET]), () => session.getItems()]) {
    await refused(call(), code, advice);
  }
}

describe('what the server does not allow', () => {
  test('no user, an unknown user and a wrong password are told at once', async () => {
    const { host, port } = guarded.server();
    const started = performance.now();
    const plain = new MongoSession<object>({ sessionId: 'a', client: guarded.client() });
    await bothRefused(plain, 'ACCESS_DENIED', /user, password and roles/);
    const url = `mongodb://someone:hunter2@${host}:${port}/?directConnection=true&authSource=admin`;
    const session = new MongoSession<object>({ sessionId: 'a', url });
    await bothRefused(session, 'ACCESS_DENIED', /user, password and roles/);
    await session.close();
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  test('a validator that refuses the rows leaves nothing behind', async () => {
    const client = mongo.client();
    await client.db().createCollection('strict', { validator: { other: { $exists: true } } });
    const session = new MongoSession<object>({ sessionId: freshId(), client, collectionName: 'strict' });
    await refused(session.addItems([SECRET]), 'INCOMPATIBLE_STORE', /has a validator/);
    expect(await session.getItems()).toEqual([]);
  });

  test('a unique index on other fields is told, and leaves nothing behind', async () => {
    const collection = mongo.client().db().collection('people');
    await collection.createIndex({ email: 1 }, { unique: true });
    const [first, second] = [freshId(), freshId()].map(
      (sessionId) => new MongoSession<object>({ sessionId, collection }),
    );
    await first!.addItems([message(0)]);
    await refused(
      second!.addItems([SECRET]),
      'INCOMPATIBLE_STORE',
      /unique index .* other fields than `_id`/,
    );
    expect(await second!.getItems()).toEqual([]);
  });

  test('an index in the place of the TTL index is told, and nothing is written', async () => {
    const client = mongo.client();
    const collection = client.db().collection('indexed');
    await collection.createIndex({ removeAt: 1 });
    const session = new MongoSession<object>({ sessionId: freshId(), collection, ttlSeconds: 100 });
    await refused(session.addItems([SECRET]), 'INCOMPATIBLE_STORE', /Leave `ttlSeconds` out, or see/);
    expect(await collection.countDocuments()).toBe(0);
    // It is looked at again, once it was mended.
    await collection.dropIndex('removeAt_1');
    await session.addItems([message(0)]);
    expect(await session.getItems()).toEqual([message(0)]);
  });

  test('refusals of the server that are no answer to be repeated are told at once', async () => {
    const client = mongo.client();
    const session = new MongoSession<object>({ sessionId: freshId(), client });
    await session.addItems([message(0)]);
    for (const [errorCode, code, advice] of [
      [13, 'ACCESS_DENIED', /user, password and roles/],
      [115, 'INCOMPATIBLE_STORE', /the README for what works/],
    ] as const) {
      const failCommand = { configureFailPoint: 'failCommand' };
      const data = { failCommands: ['insert', 'update', 'find'], errorCode };
      await client.db('admin').command({ ...failCommand, mode: 'alwaysOn', data });
      try {
        await bothRefused(session, code, advice);
      } finally {
        await client.db('admin').command({ ...failCommand, mode: 'off' });
      }
    }
    expect(await session.getItems()).toEqual([message(0)]);
  });
});

describe('a server that is not as it should be', () => {
  test('one that is too old is told to be', async () => {
    const { address } = await oldServer();
    const url = urlWith('mongodb://localhost/?directConnection=true', address);
    const session = new MongoSession<object>({ sessionId: 'a', url, timeoutMs: 2_000 });
    await bothRefused(session, 'INCOMPATIBLE_STORE', /version 4.4 or later is needed/);
    await session.close();
  });

  test('one that is killed and started again is used by the same session', async () => {
    const control = mongo.server().control!;
    const client = mongo.client();
    const session = new MongoSession<object>({ sessionId: freshId(), client, timeoutMs: 40_000 });
    await session.addItems([message(0)]);
    await control.kill();
    const adding = session.addItems([message(1)]);
    await control.restart();
    await adding;
    expect(await session.getItems()).toEqual([message(0), message(1)]);
  });

  test('one that stops answering is reported in time', async () => {
    const control = mongo.server().control!;
    const session = new MongoSession<object>({
      sessionId: freshId(),
      client: mongo.client(),
      timeoutMs: 300,
    });
    await session.addItems([message(0)]);
    await control.freeze();
    try {
      await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
      await expect(session.getItems()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    } finally {
      await control.thaw();
    }
    await expect
      .poll(() => session.getItems().catch(() => []), { timeout: 20_000 })
      .toEqual([message(0), message(1)]);
  });
});

/** Answers each `hello` as MongoDB 4.0 does, and nothing else. */
async function oldServer(): Promise<{ address: { host: string; port: number } }> {
  const hello = { ismaster: true, helloOk: true, minWireVersion: 0, maxWireVersion: 7, ok: 1 };
  const document = Buffer.from(BSON.serialize(hello));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (request: Buffer) => {
      // OP_REPLY to an OP_QUERY: header, flags, cursor, where it starts, how many documents, and the one.
      const reply = Buffer.alloc(36 + document.length);
      reply.writeInt32LE(reply.length, 0);
      reply.writeInt32LE(request.readInt32LE(4), 8);
      reply.writeInt32LE(1, 12);
      reply.writeInt32LE(1, 32);
      document.copy(reply, 36);
      socket.write(reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port } };
}
