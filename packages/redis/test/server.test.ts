import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { FaultProxy } from '@sessions/conformance';
import { isSessionError } from '@sessions/core';
import { expect, onTestFinished, test } from 'vitest';
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

test.each(['items', 'version', 'operations'])(
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

test('changes are known for 15 minutes, cleared or not', async () => {
  const client = redis.client();
  const session = new RedisSession<object>({ sessionId: freshId(), client });
  await session.addItems([message(0)]);
  await session.popItem();
  await session.clearSession();
  const keys = await client.keys(`sessions:{${session.sessionId}}:change:*`);
  expect(keys).toHaveLength(3);
  for (const key of keys) {
    const left = await client.pttl(key);
    expect(left).toBeGreaterThan(14 * 60 * 1_000);
    expect(left).toBeLessThanOrEqual(15 * 60 * 1_000);
  }
});

test('1,500 appends and 1,500 pops, whose replies are all lost, each happen once', async () => {
  const { host, port } = redis.server();
  const proxy = await FaultProxy.before({ host, port });
  onTestFinished(() => proxy.close());
  const client = redis.client(proxy.address);
  const sessionId = freshId();
  const sessions = Array.from({ length: 1_500 }, () => new RedisSession<object>({ sessionId, client }));
  await sessions[0]!.getItems();
  const lostAdds = proxy.loseNextReply();
  await Promise.all(sessions.map((session, at) => session.addItems([message(at)])));
  await lostAdds;
  expect(await sessions[0]!.getItems()).toHaveLength(1_500);
  const lostPops = proxy.loseNextReply();
  const popped = await Promise.all(sessions.map((session) => session.popItem()));
  await lostPops;
  expect(new Set(popped.map((item) => JSON.stringify(item))).size).toBe(1_500);
  expect(await sessions[0]!.getItems()).toEqual([]);
});

test('a copy of a change that found nothing to do goes on doing nothing', async () => {
  const client = redis.client();
  const session = new RedisSession<object>({ sessionId: freshId(), client });
  const sent: string[][] = [];
  const { call } = client;
  client.call = ((...args: [string, ...unknown[]]) => {
    sent.push(args.flat() as string[]);
    return (call as (...all: unknown[]) => unknown).apply(client, args);
  }) as typeof client.call;
  expect(await session.popItem()).toBeUndefined();
  await session.clearSession();
  await session.addItems([message(0), message(1)]);
  // What a network that holds packets back may deliver after the client has reconnected and sent the same again.
  for (const [command, ...args] of sent.slice()) await call.apply(client, [command!, ...args]);
  expect(await session.getItems()).toEqual([message(0), message(1)]);
});

test.each(['set', 'pexpire', 'rpush', 'ltrim', 'unlink', 'hset', 'llen'])(
  'a user who may not run %s is told so, and nothing is half written',
  async (command) => {
    const admin = redis.client();
    const name = freshId();
    await admin.acl('SETUSER', name, 'on', '>secret', '~*', '+@all', `-${command}`);
    const sessionId = freshId();
    const whole = new RedisSession<object>({ sessionId, client: admin });
    await whole.addItems([message(0), message(1)]);
    const session = new RedisSession<object>({
      sessionId,
      client: redis.client({ username: name, password: 'secret' }),
      timeoutMs: 2_000,
    });
    const calls = [
      () => session.addItems([message(2)]),
      () => session.popItem(),
      () => session.replaceHistoryWithCompaction([message(3)]),
      () => session.clearSession(),
      () =>
        session.applyHistoryTransaction({
          operationId: 'a',
          transaction: { type: 'append_items', items: [message(4)] },
        }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await whole.getItems()).toEqual([message(0), message(1)]);
    await admin.acl('DELUSER', name);
  },
);

test('a client inside MULTI is no source of wrong answers', async () => {
  const client = redis.client();
  const session = new RedisSession<object>({ sessionId: freshId(), client, timeoutMs: 500 });
  await session.addItems([message(0)]);
  await client.multi({ pipeline: false });
  await expect(session.getItems()).rejects.toMatchObject({ code: 'INCOMPATIBLE_STORE' });
  await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await client.exec();
  expect(await session.getItems()).toEqual([message(0), message(1)]);
});

test('a database that does not exist is not silently another one', async () => {
  const { host, port } = redis.server();
  const session = new RedisSession<object>({
    sessionId: freshId(),
    url: `redis://${host}:${port}/99`,
    timeoutMs: 2_000,
  });
  await expect(session.addItems([message(0)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await redis.client().keys(`*${session.sessionId}*`)).toEqual([]);
  await session.close();
});
