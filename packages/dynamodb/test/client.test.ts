import { type AddressInfo, connect, createServer } from 'node:net';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Address, FaultProxy } from '@sessions/conformance';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DynamoDBSession } from '../src/index.ts';
import { configOf } from './adapter.ts';
import { dynamodbForTests, freshId, message } from './server.ts';

const dynamodb = dynamodbForTests();

async function proxied(): Promise<FaultProxy> {
  const proxy = await FaultProxy.before(dynamodb.server());
  onTestFinished(() => proxy.close());
  return proxy;
}

describe('a client handed in keeps its own options', () => {
  test.each([
    ['no retries', { maxAttempts: 1 }],
    ['many retries', { maxAttempts: 10 }],
    ['adaptive retries', { retryMode: 'adaptive' }],
    ['cached middleware', { cacheMiddleware: true }],
    ['one connection', { requestHandler: { httpAgent: { maxSockets: 1, keepAlive: true } } }],
    ['no keep-alive', { requestHandler: { httpAgent: { keepAlive: false } } }],
    ['short timeouts', { requestHandler: { requestTimeout: 2_000, connectionTimeout: 1_000 } }],
  ])('%s: all operations, and exactly once when a reply is lost', async (_name, config) => {
    const proxy = await proxied();
    const client = dynamodb.client(config, proxy.address);
    const session = new DynamoDBSession<object>({ sessionId: freshId(), client });
    await session.addItems([message(0), message(1)]);
    const lostAdd = proxy.loseNextReply();
    await session.addItems([message(2)]);
    await lostAdd;
    expect(await session.getItems()).toEqual([message(0), message(1), message(2)]);
    for (const before of [0, 1]) {
      const lostPop = proxy.loseNextReply(before);
      expect(await session.popItem()).toEqual(message(2 - before));
      await lostPop;
    }
    expect(await session.getItems()).toEqual([message(0)]);
    await session.applyHistoryTransaction({
      operationId: 'a',
      transaction: { type: 'replace_suffix', expectedSuffix: [message(0)], replacement: [message(3)] },
    });
    expect(await session.getItems()).toEqual([message(3)]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
  });

  test('a document client, which stores values of its own kind: all operations', async () => {
    const client = DynamoDBDocumentClient.from(dynamodb.client(), {
      marshallOptions: { convertEmptyValues: true, removeUndefinedValues: true },
      unmarshallOptions: { wrapNumbers: true },
    });
    const sessionId = freshId();
    const session = new DynamoDBSession<object>({ sessionId, client });
    const large = { content: 'x'.repeat(500_000) };
    const empty = { content: '', list: [], number: 1e-7, nothing: null };
    await session.addItems([message(0), empty, large]);
    expect(await session.getItems()).toEqual([message(0), empty, large]);
    expect(await session.popItem()).toEqual(large);
    const plain = new DynamoDBSession<object>({ sessionId, client: dynamodb.client() });
    expect(await plain.getItems()).toEqual([message(0), empty]);
    await session.clearSession();
    expect(await plain.getItems()).toEqual([]);
  });

  test('a limit for a request that hangs leaves time to try again', async () => {
    const session = new DynamoDBSession<object>({
      sessionId: freshId(),
      client: dynamodb.client(
        // As `docs/operations.md` has it, but shorter. Without the last one the client only warns.
        { requestHandler: { connectionTimeout: 500, requestTimeout: 500, throwOnRequestTimeout: true } },
        await silentAtFirst(),
      ),
      timeoutMs: 20_000,
    });
    await session.addItems([message(0)]);
    expect(await session.getItems()).toEqual([message(0)]);
  });

  test('it is still open when its sessions are closed', async () => {
    const client = dynamodb.client();
    const sessionId = freshId();
    const session = new DynamoDBSession<object>({ sessionId, client });
    await session.addItems([message(0)]);
    await session.close();
    expect(await new DynamoDBSession<object>({ sessionId, client }).getItems()).toEqual([message(0)]);
  });
});

/** Leads to the server, but what comes back on the first connection never arrives, and that stays open. */
async function silentAtFirst(): Promise<Address> {
  const { host, port } = dynamodb.server();
  let connections = 0;
  const server = createServer((client) => {
    const store = connect(port, host);
    client.pipe(store);
    if (connections++ > 0) store.pipe(client);
    for (const socket of [client, store]) socket.on('error', () => {});
    client.on('close', () => store.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

describe("a client of the session's own", () => {
  test('connects at the first call, and ends with the session', async () => {
    const proxy = await proxied();
    const clientConfig = configOf(dynamodb.server(), proxy.address);
    const session = new DynamoDBSession<object>({ sessionId: freshId(), clientConfig });
    expect(proxy.clients).toBe(0);
    await session.addItems([message(0)]);
    expect(proxy.clients).toBe(1);
    await session.close();
    await expect.poll(() => proxy.clients).toBe(0);
  });
});

describe('a server that stops answering', () => {
  test('is reported in time, and the same session goes on when it answers', async () => {
    const control = dynamodb.server().control!;
    const session = new DynamoDBSession<object>({
      sessionId: freshId(),
      client: dynamodb.client(),
      timeoutMs: 400,
    });
    await session.addItems([message(0)]);
    await control.freeze();
    try {
      await expect(session.getItems()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    } finally {
      await control.thaw();
    }
    await expect.poll(() => session.getItems().catch(() => [])).toContainEqual(message(0));
  });

  test('and is killed and started again is used by the same session', async () => {
    const control = dynamodb.server().control!;
    const session = new DynamoDBSession<object>({
      sessionId: freshId(),
      client: dynamodb.client(),
      timeoutMs: 20_000,
    });
    await session.addItems([message(0)]);
    await control.kill();
    const adding = session.addItems([message(1)]);
    await control.restart();
    await adding;
    expect(await session.getItems()).toEqual([message(0), message(1)]);
  });
});
