import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { FaultProxy } from '@sessions/conformance';
import { isSessionError } from '@sessions/core';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSessionsTable, DynamoDBSession, type DynamoDBSessionOptions } from '../src/index.ts';
import { configOf } from './adapter.ts';
import { overloadable } from './overloadable.ts';
import { dynamodbForTests, freshId, message, sentBy } from './server.ts';

const dynamodb = dynamodbForTests();

const SECRET = 'hunter2';

afterEach(() => vi.unstubAllEnvs());

/** What each call of a session throws, all of it without content or credentials. */
async function errorsOf(session: DynamoDBSession<object>): Promise<Error[]> {
  const calls = [
    () => session.getItems(),
    () => session.addItems([{ content: SECRET }]),
    () => session.popItem(),
    () => session.clearSession(),
    () => session.replaceHistoryWithCompaction([{ content: SECRET }]),
  ];
  const errors: Error[] = [];
  for (const call of calls) errors.push((await call().catch((caught: unknown) => caught)) as Error);
  for (const error of errors) {
    expect(isSessionError(error), inspect(error)).toBe(true);
    expect(error).toMatchObject({ adapter: 'dynamodb' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
  }
  return errors;
}

describe('what is wrong with the table', () => {
  test('it is not there', async () => {
    const session = new DynamoDBSession<object>({
      sessionId: freshId(),
      client: dynamodb.client(),
      tableName: 'no-such-table',
    });
    for (const error of await errorsOf(session)) {
      expect(error).toMatchObject({ code: 'INCOMPATIBLE_STORE', retryable: false });
      expect(error.message).toContain('createSessionsTable');
    }
  });

  test.each([{ partitionKey: 'id' }, { sortKey: 'at' }])('it has other keys than %j', async (keys) => {
    const client = dynamodb.client();
    const session = new DynamoDBSession<object>({ sessionId: freshId(), client, ...keys });
    for (const error of await errorsOf(session)) {
      expect(error).toMatchObject({ code: 'INCOMPATIBLE_STORE' });
      expect(error.message).toContain('partitionKey');
    }
  });
});

describe('who is refused', () => {
  test('a client without credentials', async () => {
    vi.stubEnv('HOME', mkdtempSync(join(tmpdir(), 'no-credentials-')));
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) vi.stubEnv(name, '');
    const { endpoint, region } = configOf(dynamodb.server());
    const session = new DynamoDBSession<object>({ sessionId: 'a', clientConfig: { endpoint, region } });
    onTestFinished(() => session.close());
    for (const error of await errorsOf(session)) {
      expect(error).toMatchObject({ code: 'ACCESS_DENIED', retryable: false });
      expect(error.message).toContain('Check its credentials');
    }
  });

  test.each([
    [
      'AccessDeniedException',
      'ACCESS_DENIED',
      'its policy allows GetItem, Query, PutItem and BatchWriteItem',
    ],
    ['UnrecognizedClientException', 'ACCESS_DENIED', 'Check its credentials'],
    ['InvalidSignatureException', 'ACCESS_DENIED', 'its clock'],
    ['ExpiredTokenException', 'ACCESS_DENIED', 'Check its credentials'],
    ['ThrottlingException', 'UNAVAILABLE', 'raise the capacity'],
    ['SomethingNewException', 'INCOMPATIBLE_STORE', 'refused the request (SomethingNewException)'],
  ])('a client that is told %s', async (name, code, advice) => {
    const body = JSON.stringify({
      __type: `com.amazon.coral.service#${name}`,
      message: name === 'AccessDeniedException' ? 'User: arn is not authorized' : `quotes ${SECRET}`,
    });
    const server = createServer((incoming, outgoing) => {
      incoming.resume().once('end', () => {
        outgoing.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const client = dynamodb.client({ maxAttempts: 1 }, { host: '127.0.0.1', port });
    const session = new DynamoDBSession<object>({ sessionId: 'a', client, timeoutMs: 300 });
    for (const error of await errorsOf(session)) {
      expect(error).toMatchObject({ code, retryable: code === 'UNAVAILABLE' });
      expect(error.message).toContain(advice);
      if (name === 'AccessDeniedException')
        expect((error.cause as Error).message).toContain('not authorized');
    }
  });

  test('a client with credentials that are none', async () => {
    const credentials = { accessKeyId: undefined, secretAccessKey: SECRET } as never;
    const session = new DynamoDBSession<object>({ sessionId: 'a', client: dynamodb.client({ credentials }) });
    for (const error of await errorsOf(session))
      expect(error).toMatchObject({ code: 'ACCESS_DENIED', retryable: false });
  });

  test('a client without a region', async () => {
    vi.stubEnv('HOME', mkdtempSync(join(tmpdir(), 'no-region-')));
    for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    const { endpoint, credentials } = configOf(dynamodb.server());
    const session = new DynamoDBSession<object>({ sessionId: 'a', clientConfig: { endpoint, credentials } });
    onTestFinished(() => session.close());
    for (const error of await errorsOf(session)) {
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', retryable: false });
      expect(error.message).toContain('AWS_REGION');
    }
  });
});

describe('what a server that is not there comes to', () => {
  test('nothing is reported as unknown that was never sent', async () => {
    const { credentials, region } = configOf(dynamodb.server());
    const proxy = await FaultProxy.before(dynamodb.server());
    const endpoint = `http://127.0.0.1:${proxy.address.port}`;
    await proxy.close();
    const session = new DynamoDBSession<object>({
      sessionId: 'a',
      clientConfig: { endpoint, region, credentials: { ...credentials, sessionToken: SECRET } },
      timeoutMs: 300,
    });
    onTestFinished(() => session.close());
    for (const error of await errorsOf(session))
      expect(error).toMatchObject({ code: 'UNAVAILABLE', retryable: true });
  });

  test('an append that finds the server gone has not been written', async () => {
    const proxy = await FaultProxy.before(dynamodb.server());
    const client = dynamodb.client({ maxAttempts: 1 }, proxy.address);
    const session = new DynamoDBSession<object>({ sessionId: freshId(), client, timeoutMs: 500 });
    await session.addItems([message(0)]);
    client.config.requestHandler.destroy?.();
    await proxy.close();
    await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const direct = new DynamoDBSession<object>({ sessionId: session.sessionId, client: dynamodb.client() });
    expect(await direct.getItems()).toEqual([message(0)]);
  });

  test.each([
    ['at any of its addresses', ['127.0.0.2', '127.0.0.3']],
    // For documentation: nobody ever answers there, or there is no way there.
    ['and does not even refuse', ['192.0.2.1']],
  ])('an append that finds the server gone %s has not been written', async (_name, addresses) => {
    let isGone = false;
    const lookup: LookupFunction = (_host, _options, found) => {
      const all = isGone ? addresses : ['127.0.0.1'];
      found(
        null,
        all.map((address) => ({ address, family: 4 })),
      );
    };
    const client = dynamodb.client(
      {
        maxAttempts: 1,
        requestHandler: {
          connectionTimeout: 300,
          requestTimeout: 2_000,
          httpAgent: { keepAlive: false, lookup, autoSelectFamilyAttemptTimeout: 100 },
        },
      },
      // A name that only the lookup knows. The server listens at 127.0.0.1 alone.
      { host: 'dynamodb.test', port: dynamodb.server().port },
    );
    const session = new DynamoDBSession<object>({ sessionId: freshId(), client, timeoutMs: 1_500 });
    await session.addItems([message(0)]);
    isGone = true;
    await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const direct = new DynamoDBSession<object>({ sessionId: session.sessionId, client: dynamodb.client() });
    expect(await direct.getItems()).toEqual([message(0)]);
  });
});

test('what was refused as too many until the time is up says so', async () => {
  const front = await overloadable(dynamodb.server());
  onTestFinished(() => front.close());
  const client = dynamodb.client({ maxAttempts: 20 }, front.address);
  const session = new DynamoDBSession<object>({ sessionId: freshId(), client, timeoutMs: 700 });
  await session.addItems([message(0)]);
  front.overload('all');
  await expect(session.addItems([message(1)])).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('one too many') as string,
  });
});

describe('a refusal after a try whose answer was lost', () => {
  test('says nothing of that try', async () => {
    const front = await overloadable(dynamodb.server());
    onTestFinished(() => front.close());
    const proxy = await FaultProxy.before(front.address);
    onTestFinished(() => proxy.close());
    const client = dynamodb.client({}, proxy.address);
    const session = new DynamoDBSession<object>({ sessionId: freshId(), client, timeoutMs: 30_000 });
    await session.addItems([message(0)]);
    const lost = proxy.loseNextReply();
    const adding = session.addItems([message(1)]).catch((caught: unknown) => caught);
    await lost;
    front.overload('all');
    // The table is read, and shows that it was written.
    expect(await adding).toBeUndefined();
    front.overload('nothing');
    expect(await session.getItems()).toEqual([message(0), message(1)]);
  });
});

describe('what is too large', () => {
  test('an item is refused before anything is sent', async () => {
    const client = dynamodb.client();
    const session = new DynamoDBSession<object>({ sessionId: freshId(), client });
    let error: unknown;
    const sent = await sentBy(client, async () => {
      const items = [message(0), { content: SECRET.padEnd(33 * 1024 * 1024) }];
      error = await session.addItems(items).catch((caught: unknown) => caught);
    });
    expect(sent).toEqual([]);
    expect(error).toMatchObject({ code: 'ITEM_TOO_LARGE', adapter: 'dynamodb', index: 1, retryable: false });
    expect((error as Error).message).toContain('store the payload elsewhere');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
    expect(await session.getItems()).toEqual([]);
  });
});

describe('options', () => {
  const refused: readonly [name: string, options: object][] = [
    ['an empty table name', { tableName: '' }],
    ['a table name that is none', { tableName: 7 }],
    ['one key twice', { partitionKey: 'sk' }],
    ['a key that rows need', { sortKey: 'head' }],
    ['an end that is a key', { ttlAttribute: 'pk' }],
    ['a key that is too long', { partitionKey: 'k'.repeat(256) }],
    ['a prefix that is none', { prefix: 7 }],
    ['a prefix that is too long', { prefix: 'p'.repeat(256) }],
    ['a client of another kind', { client: { putItem() {}, query() {} } }],
    ['no client at all', { client: null }],
  ];
  test.each(refused)('%s is refused when the session is built', (_name, options) => {
    const build = () =>
      new DynamoDBSession({
        sessionId: 'a',
        client: dynamodb.client(),
        ...options,
      } as unknown as DynamoDBSessionOptions);
    expect(build).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', adapter: 'dynamodb' }) as Error,
    );
  });

  test('a client and a configuration together are refused', () => {
    const options = { sessionId: 'a', client: dynamodb.client(), clientConfig: {} } as unknown;
    expect(() => new DynamoDBSession(options as DynamoDBSessionOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }) as Error,
    );
  });

  test('a table that cannot be made says so', async () => {
    const client: DynamoDBClient = dynamodb.client();
    await expect(createSessionsTable(client, { tableName: 'a/b' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(createSessionsTable(client, { partitionKey: 'rev' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  test('a session id of any length is taken', async () => {
    const id = 'é'.repeat(5_000);
    const client = dynamodb.client();
    const session = new DynamoDBSession<object>({ sessionId: id, client });
    await session.addItems([message(0)]);
    expect(await new DynamoDBSession<object>({ sessionId: id, client }).getItems()).toEqual([message(0)]);
    expect(await new DynamoDBSession<object>({ sessionId: `${id}é`, client }).getItems()).toEqual([]);
  });
});
