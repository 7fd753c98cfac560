import { FaultProxy } from '@sessions/conformance';
import { isSessionError } from '@sessions/core';
import type { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RedisSession } from '../src/index.ts';
import { freshId, message, redisForTests } from './server.ts';

const redis = redisForTests();

async function proxied(): Promise<FaultProxy> {
  const { host, port } = redis.server();
  const proxy = await FaultProxy.before({ host, port });
  onTestFinished(() => proxy.close());
  return proxy;
}

function sessionOn(client: Redis, timeoutMs = 5_000, sessionId = freshId()): RedisSession<object> {
  return new RedisSession({ sessionId, client, timeoutMs });
}

describe('a client handed in keeps its own options', () => {
  test('keyPrefix is applied, once', async () => {
    const client = redis.client({ keyPrefix: 'app:' });
    const session = sessionOn(client);
    await session.addItems([message(0), message(1)]);
    await session.popItem();
    expect(await session.getItems()).toEqual([message(0)]);
    const plain = redis.client();
    expect(await plain.lrange(`app:sessions:{${session.sessionId}}:items`, 0, -1)).toHaveLength(1);
    expect((await plain.keys(`*${session.sessionId}*`)).every((key) => key.startsWith('app:sessions:'))).toBe(
      true,
    );
    expect(await sessionOn(plain, 5_000, session.sessionId).getItems()).toEqual([]);
  });

  test.each([
    ['lazyConnect', { lazyConnect: true }],
    ['no offline queue', { enableOfflineQueue: false }],
    ['no retries', { maxRetriesPerRequest: 0 }],
    ['endless retries', { maxRetriesPerRequest: null }],
    ['auto-pipelining', { enableAutoPipelining: true }],
    ['numbers as strings', { stringNumbers: true }],
    ['RESP2', { protocol: 2 as const }],
    ['RESP3 shapes', { replyMapping: 'resp3' as 'legacy' }],
    ['friendly stacks', { showFriendlyErrorStack: true }],
  ])('%s: all operations, and exactly once when a reply is lost', async (_name, options) => {
    const proxy = await proxied();
    const client = redis.client({ ...options, ...proxy.address });
    const session = sessionOn(client);
    await session.addItems([message(0), message(1)]);
    const lostAdd = proxy.loseNextReply();
    await session.addItems([message(2)]);
    await lostAdd;
    expect(await session.getItems()).toEqual([message(0), message(1), message(2)]);
    const lostPop = proxy.loseNextReply();
    expect(await session.popItem()).toEqual(message(2));
    await lostPop;
    for (const before of [0, 1, 2]) {
      const long = { content: 'x'.repeat(9_000) };
      await session.addItems([long]);
      const lostLong = proxy.loseNextReply(before);
      expect(await session.popItem()).toEqual(long);
      await lostLong;
    }
    await session.applyHistoryTransaction({
      operationId: 'a',
      transaction: { type: 'replace_suffix', expectedSuffix: [message(1)], replacement: [message(3)] },
    });
    expect(await session.getItems()).toEqual([message(0), message(3)]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
  });

  test('a client that does not resend leaves the outcome unknown, and the write is there once', async () => {
    const proxy = await proxied();
    const client = redis.client({ autoResendUnfulfilledCommands: false, ...proxy.address });
    const session = sessionOn(client, 500);
    await session.addItems([message(0)]);
    const lost = proxy.loseNextReply();
    await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await lost;
    expect(await session.getItems()).toEqual([message(0), message(1)]);
  });

  test('a client that was ended is reported at once', async () => {
    const client = redis.client();
    const session = sessionOn(client);
    await session.addItems([message(0)]);
    client.disconnect();
    const started = performance.now();
    for (const call of [() => session.getItems(), () => session.addItems([message(1)])]) {
      await expect(call()).rejects.toMatchObject({ code: 'UNAVAILABLE', adapter: 'redis', retryable: false });
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('many sessions that wait for one client do not pile up listeners', async () => {
    const proxy = await proxied();
    proxy.refuse();
    const client = redis.client({ ...proxy.address, retryStrategy: () => 20 });
    const warnings: string[] = [];
    const warned = ({ message: text }: Error) => warnings.push(text);
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const calls = Array.from({ length: 50 }, (_, at) => sessionOn(client).addItems([message(at)]));
    expect(client.listenerCount('ready')).toBeLessThan(5);
    proxy.pass();
    await Promise.all(calls);
    expect(warnings).toEqual([]);
  });
});

describe('a write that may still happen', () => {
  test('is reported as unknown while the client keeps it for later', async () => {
    const proxy = await proxied();
    const client = redis.client({ ...proxy.address, maxRetriesPerRequest: null });
    const session = sessionOn(client, 300);
    await session.addItems([message(0)]);
    proxy.hang();
    const error: unknown = await session.addItems([message(1)]).catch((caught: unknown) => caught);
    expect(isSessionError(error, 'OUTCOME_UNKNOWN')).toBe(true);
    proxy.drop();
    proxy.pass();
    // The client resends it now, as it does whatever the caller was told.
    const direct = sessionOn(redis.client(), 5_000, session.sessionId);
    await expect.poll(() => direct.getItems()).toEqual([message(0), message(1)]);
  });

  test('is never sent when the caller was told that nothing was written', async () => {
    const proxy = await proxied();
    const client = redis.client({ ...proxy.address, maxRetriesPerRequest: null, retryStrategy: () => 20 });
    const session = sessionOn(client, 200);
    await session.addItems([message(0)]);
    proxy.refuse();
    await expect.poll(() => client.status).not.toBe('ready');
    await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    proxy.pass();
    await expect.poll(() => client.status).toBe('ready');
    await client.ping();
    expect(await session.getItems()).toEqual([message(0)]);
  });
});

describe('a session with a URL', () => {
  test('opens its connection at the first call and ends it', async () => {
    const proxy = await proxied();
    const url = `redis://${proxy.address.host}:${proxy.address.port}`;
    const session = new RedisSession<object>({ sessionId: freshId(), url });
    expect(proxy.clients).toBe(0);
    await session.addItems([message(0)]);
    expect(proxy.clients).toBe(1);
    await session.close();
    await expect.poll(() => proxy.clients).toBe(0);
  });

  test.each(['http://localhost', '', 'localhost:6379', 7, undefined, { host: 'x' }])(
    '%s is refused when the session is built',
    (url) => {
      const build = () => new RedisSession({ sessionId: 'a', url: url as string });
      expect(build).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }) as Error);
    },
  );

  test.each([
    ['of node-redis', { isOpen: true, sendCommand: () => undefined }],
    ['empty', {}],
    ['null', null],
    ['a URL', 'redis://localhost:6379'],
  ])('a client that is %s is refused when the session is built', (_name, client) => {
    const build = () => new RedisSession({ sessionId: 'a', client: client as unknown as Redis });
    expect(build).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT', adapter: 'redis' }) as Error);
  });

  test('a client and a URL together are refused', () => {
    const options = { sessionId: 'a', client: redis.client(), url: redis.server().url };
    expect(() => new RedisSession(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }) as Error,
    );
  });

  test('a password is in no error', async () => {
    const { host, port } = redis.server();
    const session = new RedisSession({
      sessionId: 'a',
      url: `redis://u:hunter2@${host}:${port}`,
      timeoutMs: 500,
    });
    const error = (await session.getItems().catch((caught: unknown) => caught)) as Error;
    expect(isSessionError(error)).toBe(true);
    expect(
      `${error.message} ${JSON.stringify(error)} ${(error.cause as Error | undefined)?.message}`,
    ).not.toContain('hunter2');
    await session.close();
  });
});
