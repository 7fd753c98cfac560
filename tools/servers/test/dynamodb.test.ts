import { afterEach, describe, expect, test, vi } from 'vitest';
import { type RunningDynamoDB, startDynamoDB } from '../src/index.ts';

afterEach(() => vi.unstubAllEnvs());

/** What a server answers to an action, asked for without a client. */
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
  return response.json();
}

const TABLE = {
  TableName: 'kept',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
};

describe.each(['dynalite', 'moto'] as const)('%s', (engine) => {
  test('answers, keeps its own data, and is gone when it is stopped', async () => {
    const [one, two] = await Promise.all([startDynamoDB({ engine }), startDynamoDB({ engine })]);
    expect(one).toMatchObject({ engine, source: 'package', version: expect.stringMatching(/^\d+\.\d+/) });
    expect(await ask(one, 'CreateTable', TABLE)).toMatchObject({ TableDescription: { TableName: 'kept' } });
    expect(await ask(one, 'ListTables', {})).toEqual({ TableNames: ['kept'] });
    expect(await ask(two, 'ListTables', {})).toEqual({ TableNames: [] });
    await Promise.all([one.stop(), two.stop()]);
    await expect(ask(one, 'ListTables', {})).rejects.toThrow();
  });

  test('is killed and started again, with what it acknowledged if it says so', async () => {
    const server = await startDynamoDB({ engine });
    const { kill, restart, keepsData } = server.control!;
    await ask(server, 'CreateTable', TABLE);
    const item = { pk: { S: 'a' } };
    await ask(server, 'PutItem', { TableName: 'kept', Item: item });
    await kill();
    await expect(ask(server, 'ListTables', {})).rejects.toThrow();
    await restart();
    const found = await ask(server, 'ListTables', {});
    expect(found).toEqual({ TableNames: keepsData ? ['kept'] : [] });
    if (keepsData)
      expect(await ask(server, 'GetItem', { TableName: 'kept', Key: item })).toEqual({ Item: item });
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
