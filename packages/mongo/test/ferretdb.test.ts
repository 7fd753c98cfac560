import { expect, test } from 'vitest';
import { MongoSession } from '../src/index.ts';
import { refused, SECRET } from './refused.ts';
import { freshId, message, messages, mongoForTests } from './server.ts';

const ferretdb = mongoForTests({ engine: 'ferretdb' });

test('a time to live is refused, and nothing is written', async () => {
  const client = ferretdb.client();
  const session = new MongoSession<object>({ sessionId: freshId(), client, ttlSeconds: 100 });
  const advice = /Leave `ttlSeconds` out.*FerretDB 1 has none/;
  await refused(session.addItems([SECRET]), 'INCOMPATIBLE_STORE', advice);
  expect(await session.getItems()).toEqual([]);
  const plain = new MongoSession<object>({ sessionId: session.sessionId, client });
  await plain.addItems([message(0)]);
  expect(await plain.getItems()).toEqual([message(0)]);
});

test('a long history is cleared without the server running out of its own connections', async () => {
  const client = ferretdb.client();
  const session = new MongoSession<object>({ sessionId: freshId(), client });
  for (let at = 0; at < 120; at++) await session.addItems([message(at)]);
  await session.clearSession();
  expect(await session.getItems()).toEqual([]);
  await session.addItems(messages(3));
  expect(await session.popItem()).toEqual(message(2));
  expect(await session.getItems()).toEqual(messages(2));
});
