import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FIRST_START_MS, type RunningDynamoDB, startDynamoDB, whyAbsent } from '../src/index.ts';

afterEach(() => vi.unstubAllEnvs());

/** What a server answers to an action that it carries out, asked for without a client. */
async function ask({ url }: Pick<RunningDynamoDB, 'url'>, action: string, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDB_20120810.${action}`,
      'X-Amz-Date': '20200101T000000Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${action} was refused: ${JSON.stringify(answer)}`);
  return answer;
}

/** Creates the table `kept`, and waits until it takes rows, which it need not do at once. */
async function createTable(server: Pick<RunningDynamoDB, 'url'>): Promise<void> {
  await ask(server, 'CreateTable', {
    TableName: 'kept',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });
  await expect
    .poll(() => ask(server, 'DescribeTable', { TableName: 'kept' }), { timeout: 20_000 })
    .toMatchObject({ Table: { TableStatus: 'ACTIVE' } });
}

describe.each(['dynalite', 'moto'] as const)('%s', (engine) => {
  const missing = engine === 'moto' ? whyAbsent('python3', engine) : undefined;
  beforeAll(async () => {
    if (missing === undefined) await (await startDynamoDB({ engine })).stop();
  }, FIRST_START_MS);
  beforeEach((context) => context.skip(missing !== undefined, missing));

  test('answers, keeps its own data, and is gone when it is stopped', async () => {
    const [one, two] = await Promise.all([startDynamoDB({ engine }), startDynamoDB({ engine })]);
    expect(one).toMatchObject({ engine, source: 'package', version: expect.stringMatching(/^\d+\.\d+/) });
    await createTable(one);
    expect(await ask(one, 'ListTables', {})).toEqual({ TableNames: ['kept'] });
    expect(await ask(two, 'ListTables', {})).toEqual({ TableNames: [] });
    await Promise.all([one.stop(), two.stop()]);
    await expect(ask(one, 'ListTables', {})).rejects.toThrow('fetch failed');
  });

  test('of puts at once under the condition that nothing is there, one succeeds', async () => {
    const server = await startDynamoDB({ engine });
    await createTable(server);
    // Takes long to be built after the look whether it is there, where the two are not one step.
    const list = { L: Array.from({ length: 5_000 }, () => ({ S: '' })) };
    for (let round = 0; round < 5; round++) {
      const put = {
        TableName: 'kept',
        Item: { pk: { S: `${round}` }, list },
        ConditionExpression: 'attribute_not_exists(pk)',
      };
      const puts = await Promise.allSettled(Array.from({ length: 8 }, () => ask(server, 'PutItem', put)));
      expect(puts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const ended of puts)
        if (ended.status === 'rejected') expect(String(ended.reason)).toContain('ConditionalCheckFailed');
    }
    await server.stop();
  });

  test('is killed and started again, with what it acknowledged if it says so', async () => {
    const server = await startDynamoDB({ engine });
    const { kill, restart, keepsData } = server.control!;
    await createTable(server);
    const items = Array.from({ length: 20 }, (_, at) => ({
      pk: { S: `${at}` },
      text: { S: 'x'.repeat(20_000) },
    }));
    for (const Item of items) await ask(server, 'PutItem', { TableName: 'kept', Item });
    await kill();
    await expect(ask(server, 'ListTables', {})).rejects.toThrow('fetch failed');
    await restart();
    expect(await ask(server, 'ListTables', {})).toEqual({ TableNames: keepsData ? ['kept'] : [] });
    if (keepsData) {
      for (const Item of items)
        expect(await ask(server, 'GetItem', { TableName: 'kept', Key: { pk: Item.pk } })).toEqual({ Item });
    }
    await server.stop();
  });
});

test('the server of the environment comes first, and is not ours to control', async () => {
  const first = await startDynamoDB({ engine: 'dynalite' });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', first.url);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  const second = await startDynamoDB();
  expect(second).toMatchObject({
    source: 'environment',
    url: first.url,
    port: first.port,
    region: 'eu-central-1',
  });
  expect(second).not.toHaveProperty('control');
  await second.stop();
  vi.stubEnv('DYNAMODB_URL', first.url);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:1');
  expect(await startDynamoDB()).toMatchObject({ source: 'environment', url: first.url });
  // What is asked for by name is that.
  const other = await startDynamoDB({ engine: 'dynalite' });
  expect(other.url).not.toBe(first.url);
  await Promise.all([first.stop(), other.stop()]);
});
