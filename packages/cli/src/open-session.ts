import type { StoredSession } from '@sessions/core/store';
import { Failure } from './failure.ts';
import { importAdapter } from './import-adapter.ts';
import { decoded, takeOptions } from './url-options.ts';

/**
 * Builds the session that a URL and an id name, with the adapter of the URL's scheme. Makes no call to the store.
 *
 * @param url - its query holds the adapter's options by their own names; everything else there is the driver's
 * @param timeoutMs - the longest that one call may take
 * @throws Failure `USAGE`, `NOT_INSTALLED`
 * @throws SessionError `INVALID_SESSION_ID`, `INVALID_ARGUMENT`
 */
export async function openSession(
  url: string,
  sessionId: string,
  timeoutMs: number,
): Promise<StoredSession<unknown>> {
  const scheme = /^[a-z+]+(?=:\/\/)/.exec(url)?.[0];
  switch (scheme) {
    case 'redis':
    case 'rediss':
      return openRedis(url, { sessionId, timeoutMs });
    case 'mongodb':
    case 'mongodb+srv':
      return openMongo(url, { sessionId, timeoutMs });
    case 'dynamodb':
      return openDynamoDB(url, { sessionId, timeoutMs });
    default:
      throw new Failure(
        'USAGE',
        'A URL begins with redis://, rediss://, mongodb://, mongodb+srv:// or dynamodb://.',
      );
  }
}

interface Common {
  readonly sessionId: string;
  readonly timeoutMs: number;
}

async function openRedis(given: string, common: Common) {
  const { url, options } = takeOptions(given, ['prefix', 'ttlSeconds']);
  const { RedisSession } = await importAdapter(() => import('@sessions/redis'), '@sessions/redis', 'ioredis');
  return new RedisSession<unknown>({ ...common, ...withTtl(options), url });
}

async function openMongo(given: string, common: Common) {
  const { url, options } = takeOptions(given, ['databaseName', 'collectionName', 'ttlSeconds']);
  const { MongoSession } = await importAdapter(() => import('@sessions/mongo'), '@sessions/mongo', 'mongodb');
  return new MongoSession<unknown>({ ...common, ...withTtl(options), url });
}

const OF_DYNAMODB = [
  'region',
  'endpoint',
  'prefix',
  'partitionKey',
  'sortKey',
  'ttlAttribute',
  'ttlSeconds',
] as const;

async function openDynamoDB(given: string, common: Common) {
  const { url, options } = takeOptions(given, OF_DYNAMODB);
  // The place of a host has a table, or its ARN with colons and a slash.
  const [table = '', ...rest] = url.slice('dynamodb://'.length).split('?');
  if (table.includes('@'))
    throw new Failure('USAGE', 'Credentials of DynamoDB come from the environment, not from the URL.');
  if (rest.length > 0)
    throw new Failure('USAGE', `The query of a dynamodb:// URL takes ${OF_DYNAMODB.join(', ')}.`);
  const { region, endpoint, ...own } = options;
  const { DynamoDBSession } = await importAdapter(
    () => import('@sessions/dynamodb'),
    '@sessions/dynamodb',
    '@aws-sdk/client-dynamodb',
  );
  return new DynamoDBSession<unknown>({
    ...common,
    ...withTtl(own),
    tableName: decoded(table),
    clientConfig: { ...(region && { region }), ...(endpoint && { endpoint }) },
  });
}

function withTtl<T extends { ttlSeconds?: string }>({ ttlSeconds, ...options }: T) {
  return { ...options, ttlSeconds: ttlSeconds === undefined ? undefined : Number(ttlSeconds) };
}
