import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createSessionsTable } from '@sessions/dynamodb';
import { FIRST_START_MS, startDynamoDB, startMongo, startRedis } from '@sessions/servers';
import { afterAll, beforeAll } from 'vitest';
import { openSession } from '../src/open-session.ts';

/** Starts a store for the program, on a real server. */
const START = {
  async redis() {
    const { url, stop } = await startRedis({ args: ['--maxmemory-policy', 'noeviction'] });
    return { url, stop };
  },
  async mongodb() {
    const { url, stop } = await startMongo({ own: true });
    return { url, stop };
  },
  async dynamodb() {
    const { url: endpoint, region, credentials, stop } = await startDynamoDB({ engine: 'dynalite' });
    process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
    const client = new DynamoDBClient({ region, endpoint });
    await createSessionsTable(client, { tableName: 'my-table', partitionKey: 'who' });
    client.destroy();
    return { url: `dynamodb://my-table?region=${region}&endpoint=${endpoint}&partitionKey=who`, stop };
  },
};

export type Store = keyof typeof START;

/** Servers for the tests of one file, by their URLs as the program takes them. */
export function storesForTests(...stores: readonly Store[]): (store: Store) => string {
  const running = new Map<Store, { readonly url: string; readonly stop: () => Promise<void> }>();
  beforeAll(async () => {
    await Promise.all(stores.map(async (store) => running.set(store, await START[store]())));
  }, FIRST_START_MS);
  afterAll(() => Promise.all(Array.from(running.values(), ({ stop }) => stop())));
  return (store) => running.get(store)!.url;
}

export function freshId(): string {
  return `test-${randomUUID()}`;
}

/** A session with these items, written past the program. */
export async function sessionOf(url: string, ...items: unknown[]): Promise<string> {
  const id = freshId();
  await using session = await openSession(url, id, 10_000);
  await session.addItems(items);
  return id;
}

/** What a session holds, read past the program. */
export async function stored(url: string, id: string): Promise<unknown[]> {
  await using session = await openSession(url, id, 10_000);
  return await session.getItems();
}

export function messages(count: number): { role: 'user'; content: string }[] {
  return Array.from({ length: count }, (_, at) => ({ role: 'user', content: `m${at}` }));
}

/** What JSON, lines, stores and codecs have each been known to spoil. */
export const AWKWARD: readonly unknown[] = [
  { role: 'user', content: 'line one\nline two\r\n\u2028\u2029\u0085\0\u001b[31m é 🙂' },
  { lone: '\ud800', '\udfff': 1, '\n': 2, '': 3, 'a.b': 4, $set: 5 },
  Object.fromEntries([['__proto__', { constructor: 1 }]]),
  { bytes: new Uint8Array([0, 10, 255]), date: new Date(0), big: 12_345_678_901_234_567_890n },
  {
    numbers: [-0, Number.NaN, Number.POSITIVE_INFINITY, 9_007_199_254_740_991, 1e-7, 1.23e40],
    holes: [undefined],
  },
  new Map<unknown, unknown>([[{ a: 1 }, new Set([1, 'one'])]]),
  '=["not", "rich"]',
  '~not held',
  '',
  0,
  null,
  false,
  [],
  { long: 'x'.repeat(500_000) },
];
