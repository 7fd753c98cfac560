import { inspect } from 'node:util';
import { isSessionError } from '@sessions/core';
import { expect, test } from 'vitest';
import { RedisSession } from '../src/index.ts';
import { freshId, message, redisForTests } from './server.ts';

const redis = redisForTests();

test('a script cache that was flushed is no matter', async () => {
  const client = redis.client();
  const session = new RedisSession<object>({
    sessionId: freshId(),
    client,
    refreshTtlOnRead: true,
    ttlSeconds: 9,
  });
  for (let round = 0; round < 3; round++) {
    await session.addItems([message(round)]);
    await client.script('FLUSH');
    expect(await session.getItems()).toHaveLength(round + 1);
    await client.script('FLUSH');
  }
  expect(await session.popItem()).toEqual(message(2));
});

test('LRANGE shows plain JSON', async () => {
  const client = redis.client();
  const session = new RedisSession<object>({ sessionId: freshId(), client });
  const items = [message(0), { type: 'function_call', callId: 'c', arguments: '{"a":1}' }];
  await session.addItems(items);
  const stored = await client.lrange(`sessions:{${session.sessionId}}:items`, 0, -1);
  expect(stored).toEqual(items.map((item) => JSON.stringify(item)));
});

test.each(['items', 'version', 'operations', 'changes'])(
  'a key of the wrong type in the place of the %s is an error, and nothing is written',
  async (name) => {
    const client = redis.client();
    const session = new RedisSession<object>({ sessionId: freshId(), client });
    await session.addItems([message(0), message(1)]);
    await session.applyHistoryTransaction({
      operationId: 'a',
      transaction: { type: 'append_items', items: [message(2)] },
    });
    const key = `sessions:{${session.sessionId}}:${name}`;
    await client.del(key);
    await client.geoadd(key, 1, 1, 'place');
    if (name === 'changes') {
      await client.del(key);
      await client.set(key, 'text');
    }
    const snapshot = async () => {
      const keys = (await client.keys(`*${session.sessionId}*`)).sort();
      return Promise.all(keys.map(async (one) => [one, await client.dumpBuffer(one)]));
    };
    const before = await snapshot();
    const calls: (() => Promise<unknown>)[] = [
      () =>
        session.applyHistoryTransaction({
          operationId: 'b',
          transaction: { type: 'append_items', items: [message(3)] },
        }),
    ];
    if (name !== 'operations') {
      calls.push(
        () => session.addItems([message(3)]),
        () => session.popItem(),
        () => session.clearSession(),
        () => session.replaceHistoryWithCompaction([message(3)]),
      );
    }
    if (name === 'items') calls.push(() => session.getItems());
    for (const call of calls) {
      const error = (await call().catch((caught: unknown) => caught)) as Error;
      expect(isSessionError(error, 'INCOMPATIBLE_STORE'), inspect(error)).toBe(true);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('m3');
    }
    expect(await snapshot()).toEqual(before);
  },
);

test('a user without permission is told so', async () => {
  const admin = redis.client();
  const name = freshId();
  await admin.acl('SETUSER', name, 'on', '>secret-word', '~*', '+ping', '+info', '+client');
  const client = redis.client({ username: name, password: 'secret-word' });
  const session = new RedisSession<object>({ sessionId: freshId(), client });
  for (const call of [session.getItems(), session.addItems([message(0)])]) {
    const error = (await call.catch((caught: unknown) => caught)) as Error;
    expect(isSessionError(error, 'ACCESS_DENIED'), inspect(error)).toBe(true);
    expect(inspect(error)).not.toContain('secret-word');
  }
  await admin.acl('DELUSER', name);
});

test('a server out of memory refuses, and nothing is half written', async () => {
  const admin = redis.client();
  const session = new RedisSession<object>({ sessionId: freshId(), client: redis.client(), timeoutMs: 300 });
  await session.addItems([message(0), message(1)]);
  await admin.config('SET', 'maxmemory', '1');
  try {
    await expect(session.addItems([message(2)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await session.getItems()).toEqual([message(0), message(1)]);
  } finally {
    await admin.config('SET', 'maxmemory', '0');
  }
  await session.addItems([message(2)]);
  expect(await session.getItems()).toHaveLength(3);
});

test('a server that is killed and started again is used by the same session', async ({ skip }) => {
  const { control } = redis.server();
  if (!control) return skip('The server was given by REDIS_URL and is not ours to kill.');
  const session = new RedisSession<object>({
    sessionId: freshId(),
    client: redis.client(),
    timeoutMs: 20_000,
  });
  await session.addItems([message(0)]);
  await control.kill();
  const adding = session.addItems([message(1)]);
  await control.restart();
  await adding;
  expect(await session.getItems()).toEqual([message(0), message(1)]);
});

test('a server that stops answering is reported in time', async ({ skip }) => {
  const { control } = redis.server();
  if (!control) return skip('The server was given by REDIS_URL and is not ours to stop.');
  const session = new RedisSession<object>({ sessionId: freshId(), client: redis.client(), timeoutMs: 300 });
  await session.addItems([message(0)]);
  await control.freeze();
  try {
    await expect(session.getItems()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  } finally {
    await control.thaw();
  }
  await expect.poll(() => session.getItems()).toEqual([message(0), message(1)]);
});
