import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { isSessionError } from '@sessions/core';
import { FIRST_START_MS, type RunningDynamoDB, startDynamoDB, whyAbsent } from '@sessions/servers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSessionsTable, DynamoDBSession } from '../src/index.ts';
import { configOf } from './adapter.ts';
import { freshId, message } from './server.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The README's. */
const TABLE = 'my-sessions';

const ROOT =
  'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0';

const missing = whyAbsent('python3', 'moto');

let server: RunningDynamoDB;

beforeAll(async () => {
  if (missing !== undefined) return;
  server = await startDynamoDB({ engine: 'moto' });
  const admin = new DynamoDBClient(configOf(server));
  await createSessionsTable(admin, { tableName: TABLE });
  admin.destroy();
}, FIRST_START_MS);
beforeEach((context) => context.skip(missing !== undefined, missing));
afterEach(() => checksPermissions(false));
afterAll(() => server?.stop());

/** Whether moto looks who somebody is and what that one may do. */
async function checksPermissions(does: boolean): Promise<void> {
  await fetch(`${server.url}/moto-api/reset-auth`, { method: 'POST', body: does ? '0' : 'inf' });
}

async function iam(parameters: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ ...parameters, Version: '2010-05-08' });
  const response = await fetch(server.url, { method: 'POST', headers: { Authorization: ROOT }, body });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

/** A user who may do so much, where that is looked at. */
async function credentialsOf(policy: object | undefined) {
  const UserName = freshId();
  await iam({ Action: 'CreateUser', UserName });
  const keys = await iam({ Action: 'CreateAccessKey', UserName });
  const key = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(keys)![1]!;
  if (policy) {
    const PolicyDocument = JSON.stringify(policy);
    await iam({ Action: 'PutUserPolicy', UserName, PolicyName: 'sessions', PolicyDocument });
  }
  return { accessKeyId: key('AccessKeyId'), secretAccessKey: key('SecretAccessKey') };
}

/** A session of such a user, from now on. */
async function sessionOf(policy: object | undefined): Promise<DynamoDBSession<object>> {
  const clientConfig = { ...configOf(server), credentials: await credentialsOf(policy) };
  await checksPermissions(true);
  return new DynamoDBSession<object>({
    sessionId: freshId(),
    clientConfig,
    tableName: TABLE,
    ttlSeconds: 100,
    refreshTtlOnRead: true,
  });
}

/** All rows of a session, for somebody who may do everything. */
async function rowsOf(sessionId: string): Promise<object[]> {
  const client = new DynamoDBClient(configOf(server));
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: TABLE,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: `sessions:${sessionId}` } },
    }),
  );
  client.destroy();
  return Items;
}

interface Policy {
  Statement: { Effect: 'Allow'; Action: string[]; Resource: string }[];
}

function policyOfReadme(): Policy {
  const [, json] = /```json\n(\{\n {2}"Version": "2012-10-17"[\s\S]*?)```/.exec(README)!;
  const policy = JSON.parse(json!) as Policy;
  // Moto does not look which table it is about.
  for (const statement of policy.Statement) statement.Resource = '*';
  return policy;
}

function policyWithout(action: string): Policy {
  const policy = policyOfReadme();
  for (const statement of policy.Statement)
    statement.Action = statement.Action.filter((name) => name !== `dynamodb:${action}`);
  return policy;
}

async function useAll(session: DynamoDBSession<object>): Promise<void> {
  await session.addItems([message(0), message(1), { content: 'x'.repeat(500_000) }]);
  await session.popItem();
  await session.popItem();
  await session.applyHistoryTransaction({
    operationId: 'a',
    transaction: { type: 'replace_suffix', expectedSuffix: [message(0)], replacement: [message(2)] },
  });
  expect(await session.getItems()).toEqual([message(2)]);
  await session.clearSession();
  expect(await session.getItems()).toEqual([]);
}

test('the permissions named in the README are enough', async () => {
  await using session = await sessionOf(policyOfReadme());
  await useAll(session);
});

test.each(['GetItem', 'Query', 'PutItem', 'BatchWriteItem'])(
  'none of them is too many: without %s it is told so',
  async (action) => {
    await using session = await sessionOf(policyWithout(action));
    await expect(useAll(session)).rejects.toMatchObject({ code: 'ACCESS_DENIED', adapter: 'dynamodb' });
  },
);

test.each(['Query', 'PutItem'])('without %s nothing is written, and no part of it', async (action) => {
  await using session = await sessionOf(policyWithout(action));
  const items = [{ content: 'hunter2' }, { content: 'x'.repeat(500_000) }];
  await expect(session.addItems(items)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await checksPermissions(false);
  expect(await rowsOf(session.sessionId)).toEqual([]);
});

test('without BatchWriteItem what a clear did stands, and the next write says what is missing', async () => {
  await using session = await sessionOf(policyWithout('BatchWriteItem'));
  await session.addItems([message(0)]);
  await session.clearSession();
  expect(await session.getItems()).toEqual([]);
  await expect(session.addItems([message(1)])).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await checksPermissions(false);
  expect(await session.getItems()).toEqual([]);
  await session.addItems([message(2)]);
  expect(await session.getItems()).toEqual([message(2)]);
  expect(JSON.stringify(await rowsOf(session.sessionId))).not.toContain('m0');
});

/** Makes a table as a user who may do so much. */
async function createdBy(actions: readonly string[], tableName: string): Promise<unknown> {
  await checksPermissions(false);
  const Action = actions.map((action) => `dynamodb:${action}`);
  const Statement = [{ Effect: 'Allow', Action, Resource: '*' }];
  const credentials = await credentialsOf({ Version: '2012-10-17', Statement });
  const client = new DynamoDBClient({ ...configOf(server), credentials });
  await checksPermissions(true);
  try {
    return await createSessionsTable(client, { tableName });
  } catch (error) {
    return error;
  } finally {
    client.destroy();
  }
}

test('who may not create tables is told so', async () => {
  const error = await createdBy(['GetItem'], 'refused');
  expect(isSessionError(error, 'ACCESS_DENIED'), inspect(error)).toBe(true);
  expect((error as Error).message).toContain('CreateTable');
});

test('who may create tables, but not look at them, is told so at once', async () => {
  const error = await createdBy(['CreateTable', 'UpdateTimeToLive'], 'unseen');
  expect(isSessionError(error, 'ACCESS_DENIED'), inspect(error)).toBe(true);
});

test('to create a table takes the three permissions of the README', async () => {
  expect(README).toContain(
    '`createSessionsTable` also needs `CreateTable`, `DescribeTable` and `UpdateTimeToLive`',
  );
  expect(await createdBy(['CreateTable', 'DescribeTable', 'UpdateTimeToLive'], 'seen')).toBeUndefined();
});

test('who may do nothing is told so', async () => {
  await using session = await sessionOf(undefined);
  for (const call of [() => session.getItems(), () => session.addItems([{ content: 'hunter2' }])]) {
    const error = (await call().catch((caught: unknown) => caught)) as Error;
    expect(isSessionError(error, 'ACCESS_DENIED'), inspect(error)).toBe(true);
    expect(error.message).toContain('policy');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
  }
});

test('a wrong secret is told so', async () => {
  await checksPermissions(true);
  const credentials = { accessKeyId: 'AKIANOBODY', secretAccessKey: 'hunter2' };
  await using session = new DynamoDBSession<object>({
    sessionId: freshId(),
    clientConfig: { ...configOf(server), credentials },
    tableName: TABLE,
  });
  const error = (await session.getItems().catch((caught: unknown) => caught)) as Error;
  expect(isSessionError(error, 'ACCESS_DENIED'), inspect(error)).toBe(true);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('hunter2');
});
