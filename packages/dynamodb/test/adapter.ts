import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  PutItemCommand,
  paginateScan,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import type {
  Address,
  Capabilities,
  ConformanceAdapter,
  Connection,
  StartedAdapter,
} from '@sessions/conformance';
import { LogHistory } from '@sessions/core/store';
import { type DynamoDBEngine, type RunningDynamoDB, startDynamoDB } from '@sessions/servers';
import { DynamoDBLog } from '../src/dynamodb-log.ts';
import { createSessionsTable, DynamoDBSession } from '../src/index.ts';
import { partitionOf } from '../src/partition.ts';
import { resolveTable } from '../src/sessions-table.ts';
import { overloadable } from './overloadable.ts';
import { timeFor } from './process.ts';
import { namesOf, tableOf } from './tables.ts';

const capabilities: Capabilities = { transactions: true, rewrites: true, replacement: true, expiry: true };

/** Moto is some three times as slow as dynalite, and carries out one request after another. */
const MOTO_PATIENCE = 3;

/** DynamoDB sessions on a server, in a table of this run's own (some, on moto), deleted at the end. */
export async function startDynamoDBAdapter(
  options: { engine?: DynamoDBEngine } = {},
): Promise<StartedAdapter> {
  const server = await startDynamoDB(options);
  const front = await overloadable(server);
  const admin = new DynamoDBClient(configOf(server));
  // A query of moto's sorts the whole table.
  const tables = { name: `conformance-${randomUUID()}`, count: server.engine === 'moto' ? 100 : 1 };
  for (const tableName of namesOf(tables)) await createSessionsTable(admin, { tableName });
  const prefixOf = (namespace = '') => `kit${namespace}`;
  const patience = server.engine === 'moto' ? MOTO_PATIENCE : 1;
  const connect = (address?: Address, more: DynamoDBClientConfig = {}): Connection => {
    const client = new DynamoDBClient({ ...configOf(server, address), ...more });
    return {
      session: ({ namespace, ...request }) =>
        new DynamoDBSession<unknown>({
          ...request,
          timeoutMs: timeFor(request, patience),
          client,
          tableName: tableOf(tables, request.sessionId),
          prefix: prefixOf(namespace),
        }),
      close: async () => client.destroy(),
    };
  };
  const { control } = server;
  const adapter: ConformanceAdapter = {
    name: 'dynamodb',
    store: `${server.engine} ${server.version} (${server.source}${server.engine === 'moto' ? ', one request at a time' : ''})`,
    capabilities,
    open: async (address) => connect(address),
    wire: {
      address: front.address,
      own({ namespace, ...request }, address) {
        const clientConfig = configOf(server, address);
        return new DynamoDBSession<unknown>({
          ...request,
          timeoutMs: timeFor(request, patience),
          clientConfig,
          tableName: tableOf(tables, request.sessionId),
          prefix: prefixOf(namespace),
        });
      },
      openWithoutResending: async (address) => connect(address, { maxAttempts: 1 }),
    },
    processes: {
      module: new URL('./process.ts', import.meta.url).href,
      options: { ...configOf(server), tables, prefix: prefixOf(), patience },
      execArgv: ['--conditions=@sessions/source'],
    },
    backdoor: {
      plant: (sessionId, kind) =>
        plant(admin, tableOf(tables, sessionId), partitionOf(prefixOf(), sessionId), kind),
      contents: async () => (await Promise.all(namesOf(tables).map((name) => contents(admin, name)))).flat(),
      async records(sessionId) {
        const log = new DynamoDBLog(
          admin,
          resolveTable({ tableName: tableOf(tables, sessionId) }),
          partitionOf(prefixOf(), sessionId),
          false,
        );
        const history = new LogHistory(log, { ttlMs: undefined, refreshTtlOnRead: false });
        const { signal } = new AbortController();
        return (await history.read({ limit: undefined, versioned: false }, { signal })).records;
      },
      async lifetimes(sessionId) {
        const newest = await newestEvent(
          admin,
          tableOf(tables, sessionId),
          partitionOf(prefixOf(), sessionId),
        );
        return newest ? [(newest.head.endsAt ?? Number.POSITIVE_INFINITY) - Date.now()] : [];
      },
      throttle: async (refuses) => front.overload(refuses ? 'all' : 'nothing'),
      restart: control?.keepsData
        ? async () => {
            await control.kill();
            await control.restart();
          }
        : { unsupported: `${server.engine} is not ours to restart, or keeps its data in memory.` },
      async removeDue(ms) {
        for (const name of namesOf(tables)) await removeDue(admin, name, Date.now() + ms);
      },
      forget: { unsupported: 'DynamoDB keeps no scripts or statements for its clients.' },
    },
  };
  return {
    adapter,
    async stop() {
      for (const TableName of namesOf(tables)) await admin.send(new DeleteTableCommand({ TableName }));
      admin.destroy();
      await front.close();
      await server.stop();
    },
  };
}

/** What a client of a server is built with, by another address if need be. */
export function configOf({ url, region, credentials }: RunningDynamoDB, address?: Address) {
  const endpoint = address ? `http://${address.host}:${address.port}` : url;
  return { endpoint, region, credentials: { ...credentials } };
}

interface NewestEvent {
  readonly seq: number;
  readonly head: { under: [number, number]; endsAt?: number; parts?: unknown; operation?: unknown };
  readonly item: Record<string, AttributeValue>;
}

async function newestEvent(
  client: DynamoDBClient,
  TableName: string,
  partition: string,
): Promise<NewestEvent | undefined> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': { S: partition }, ':first': { S: 'e' }, ':last': { S: 'e~' } },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  const [item] = Items;
  if (!item) return undefined;
  return { seq: Number(item.sk!.S!.slice(1)), head: JSON.parse(item.head!.S!) as NewestEvent['head'], item };
}

/** One more event, with one record, on top of the newest. */
async function plant(
  client: DynamoDBClient,
  TableName: string,
  partition: string,
  kind: 'damaged' | 'held',
): Promise<void> {
  const newest = await newestEvent(client, TableName, partition);
  if (!newest || newest.head.parts) throw new Error('There is no event with records in its own row.');
  const { seq, head, item } = newest;
  const { operation: _, ...others } = head;
  const kept = item.texts!.L!.length;
  const under = kept > 0 ? [seq, kept] : head.under;
  await client.send(
    new PutItemCommand({
      TableName,
      Item: {
        ...item,
        sk: { S: `e${String(seq + 1).padStart(15, '0')}` },
        rev: { N: '0' },
        head: { S: JSON.stringify({ ...others, id: randomUUID(), under }) },
        texts: { L: [{ S: kind === 'held' ? '~9{"from":"a newer version"}' : '{"role":"us' }] },
      },
    }),
  );
}

/** Every text of a table, keys among them. */
async function contents(client: DynamoDBClient, TableName: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const item of itemsOf(client, TableName))
    for (const [name, value] of Object.entries(item)) texts.push(name, ...textsOf(value));
  return texts;
}

async function removeDue(client: DynamoDBClient, TableName: string, until: number): Promise<void> {
  for await (const { pk, sk, ttl } of itemsOf(client, TableName)) {
    if (!ttl || Number(ttl.N) * 1_000 > until) continue;
    await client.send(new DeleteItemCommand({ TableName, Key: { pk: pk!, sk: sk! } }));
  }
}

async function* itemsOf(client: DynamoDBClient, TableName: string) {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    yield* Items;
}

function textsOf({ S, N, L }: AttributeValue): string[] {
  return L ? L.flatMap(textsOf) : [S ?? N ?? ''];
}
