import { readFileSync } from 'node:fs';
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

test('a server that is killed and started again is used by the same session', async () => {
  const control = redis.server().control!;
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

test('a server that stops answering is reported in time', async () => {
  const control = redis.server().control!;
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

test('the permissions named in the README are enough, and none of them is too many', async () => {
  const admin = redis.client();
  const name = freshId();
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, scripts, keys] =
    /Permissions\*\* needed: ([^,]+, [^,]+), and on the session's keys\s+([^.]+)\./.exec(readme)!;
  const commands = `${scripts} ${keys}`.match(/[A-Z]{3,}/g)!.map((command) => `+${command.toLowerCase()}`);
  // What ioredis itself sends to connect.
  await admin.acl('SETUSER', name, 'on', '>secret', '~sessions:*', '+info', '+client', '+hello', ...commands);
  const client = redis.client({ username: name, password: 'secret' });
  const session = new RedisSession<object>({
    sessionId: freshId(),
    client,
    ttlSeconds: 100,
    refreshTtlOnRead: true,
  });
  await session.addItems([message(0), message(1), { content: 'x'.repeat(5_000) }]);
  await session.popItem();
  await session.popItem();
  await session.applyHistoryTransaction({
    operationId: 'a',
    transaction: { type: 'replace_suffix', expectedSuffix: [message(0)], replacement: [message(2)] },
  });
  expect(await session.getItems()).toEqual([message(2)]);
  expect(await new RedisSession<object>({ sessionId: session.sessionId, client }).getItems(1)).toEqual([
    message(2),
  ]);
  await session.replaceHistoryWithCompaction([]);
  await session.clearSession();
  await admin.acl('DELUSER', name);
});

test.each([
  ['a wrong password', 'wrong'],
  ['no password', undefined],
])('%s is told at once', async (_name, password) => {
  const admin = redis.client();
  await admin.config('SET', 'requirepass', 'right');
  try {
    const { host, port } = redis.server();
    const started = performance.now();
    const url = password === undefined ? `redis://${host}:${port}` : `redis://:${password}@${host}:${port}`;
    const session = new RedisSession<object>({ sessionId: freshId(), url });
    await expect(session.getItems()).rejects.toMatchObject({ code: 'ACCESS_DENIED', adapter: 'redis' });
    await expect(session.addItems([message(0)])).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await session.close();
    expect(performance.now() - started).toBeLessThan(8_000);
  } finally {
    await admin.config('SET', 'requirepass', '');
  }
});

test('no more than the latest change ids are kept, and they expire', async () => {
  const client = redis.client();
  const session = new RedisSession<object>({ sessionId: freshId(), client });
  for (let at = 0; at < 1_010; at++) await session.addItems([message(at)]);
  const changes = `sessions:{${session.sessionId}}:changes`;
  expect(await client.zcard(changes)).toBe(1_000);
  const version = await client.get(`sessions:{${session.sessionId}}:version`);
  expect(await client.zrange(changes, '-1', '-1')).toEqual([version]);
  await session.clearSession();
  const left = await client.pttl(changes);
  expect(left).toBeGreaterThan(14 * 60 * 1_000);
  expect(left).toBeLessThanOrEqual(15 * 60 * 1_000);
});
