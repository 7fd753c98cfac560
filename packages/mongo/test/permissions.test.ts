import { FIRST_START_MS } from '@sessions/servers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { MongoSession } from '../src/index.ts';
import { refused, SECRET } from './refused.ts';
import { freshId, message } from './server.ts';
import { type ServerWithUsers, startWithUsers } from './users.ts';

/** As the README has it. */
const NEEDED = ['find', 'insert', 'update', 'remove'];

let server: ServerWithUsers;
beforeAll(async () => {
  server = await startWithUsers({
    writer: NEEDED,
    maker: [...NEEDED, 'createIndex'],
    reader: ['find'],
    adder: ['find', 'insert'],
    nobody: [],
  });
}, FIRST_START_MS);
afterAll(() => server?.stop());

function sessionOf(
  user: string,
  options: { sessionId?: string; ttlSeconds?: number } = {},
): MongoSession<object> {
  const session = new MongoSession<object>({ sessionId: freshId(), ...options, url: server.urlOf(user) });
  onTestFinished(() => session.close());
  return session;
}

const ADVICE = /Check its user, password and roles/;

test('what the README asks for is enough', async () => {
  for (const session of [sessionOf('writer'), sessionOf('maker', { ttlSeconds: 100 })]) {
    await session.addItems([message(0), message(1), message(2)]);
    await session.popItem();
    await session.applyHistoryTransaction({
      operationId: 'a',
      transaction: { type: 'append_items', items: [message(3)] },
    });
    await session.replaceHistoryWithCompaction([message(4)]);
    expect(await session.getItems()).toEqual([message(4)]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
  }
});

test('who may not read or write is told at once', async () => {
  const started = performance.now();
  for (const call of [
    (session: MongoSession<object>) => session.getItems(),
    (session: MongoSession<object>) => session.addItems([SECRET]),
    (session: MongoSession<object>) => session.popItem(),
    (session: MongoSession<object>) => session.clearSession(),
  ]) {
    await refused(call(sessionOf('nobody')), 'ACCESS_DENIED', ADVICE);
  }
  expect(performance.now() - started).toBeLessThan(8_000);
});

test('who may only read writes nothing', async () => {
  const [session, owner] = [sessionOf('reader'), sessionOf('writer')];
  const own = sessionOf('reader', { sessionId: owner.sessionId });
  await owner.addItems([message(0)]);
  expect(await own.getItems()).toEqual([message(0)]);
  await refused(session.addItems([SECRET]), 'ACCESS_DENIED', ADVICE);
  await refused(own.addItems([SECRET]), 'ACCESS_DENIED', ADVICE);
  await refused(own.popItem(), 'ACCESS_DENIED', ADVICE);
  await refused(own.clearSession(), 'ACCESS_DENIED', ADVICE);
  expect(await session.getItems()).toEqual([]);
  expect(await owner.getItems()).toEqual([message(0)]);
});

test('who may make no index is told so before anything is written', async () => {
  const session = sessionOf('writer', { ttlSeconds: 100, sessionId: freshId() });
  await refused(session.addItems([SECRET]), 'ACCESS_DENIED', ADVICE);
  expect(await session.getItems()).toEqual([]);
});

test('what was dropped by somebody who may not erase is erased by the next write of one who may', async () => {
  const adder = sessionOf('adder');
  await adder.addItems([message(0), message(1)]);
  expect(await adder.popItem()).toEqual(message(1));
  expect(await adder.getItems()).toEqual([message(0)]);
  await refused(adder.addItems([SECRET]), 'ACCESS_DENIED', ADVICE);
  const writer = sessionOf('writer', { sessionId: adder.sessionId });
  await writer.addItems([message(2)]);
  expect(await writer.getItems()).toEqual([message(0), message(2)]);
});
