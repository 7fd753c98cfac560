import { randomUUID } from 'node:crypto';
import type {
  Address,
  Capabilities,
  ConformanceAdapter,
  Connection,
  StartedAdapter,
} from '@sessions/conformance';
import { startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { RedisSession } from '../src/index.ts';
import { sessionKeys } from '../src/keys.ts';

const capabilities: Capabilities = { transactions: true, rewrites: true, replacement: true, expiry: true };

const SHARED = { unsupported: 'The server of REDIS_URL may have other users.' };

/** Redis sessions on a real server, under prefixes of this run's own, which are deleted at the end. */
export async function startRedisAdapter(): Promise<StartedAdapter> {
  const server = await startRedis();
  const { host, port, url } = server;
  const run = `conformance-${randomUUID()}`;
  const admin = new Redis(url);
  admin.on('error', () => undefined);
  const prefixOf = (namespace = '') => run + namespace;
  const keysOf = (sessionId: string) => sessionKeys(prefixOf(), sessionId);
  const connect = (address?: Address, options: { maxRetriesPerRequest?: number } = {}): Connection => {
    const client = new Redis(address ? through(url, address) : url, options);
    client.on('error', () => undefined);
    return {
      session: ({ namespace, ...request }) =>
        new RedisSession<unknown>({ ...request, client, prefix: prefixOf(namespace) }),
      close: async () => client.disconnect(),
    };
  };
  const adapter: ConformanceAdapter = {
    name: 'redis',
    store: `${server.engine} ${server.version} (${server.source})`,
    capabilities,
    open: async (address) => connect(address),
    wire: {
      address: { host, port },
      own({ namespace, ...request }, address) {
        return new RedisSession<unknown>({
          ...request,
          url: through(url, address),
          prefix: prefixOf(namespace),
        });
      },
      openWithoutResending: async (address) => connect(address, { maxRetriesPerRequest: 0 }),
    },
    processes: {
      module: new URL('./process.ts', import.meta.url).href,
      options: { url, prefix: run },
      execArgv: ['--conditions=@sessions/source'],
    },
    backdoor: {
      async plant(sessionId, kind) {
        await admin.rpush(
          keysOf(sessionId).items,
          kind === 'held' ? '~9{"from":"a newer version"}' : '{"role":"us',
        );
      },
      contents: () => contents(admin, run),
      records: (sessionId) => admin.lrange(keysOf(sessionId).items, 0, -1),
      async lifetimes(sessionId) {
        const { items, version, operations } = keysOf(sessionId);
        const left = await Promise.all([items, version, operations].map((key) => admin.pttl(key)));
        // -2: there is no such key. -1: it never expires, which is a failure to be seen.
        return left.filter((ms) => ms !== -2);
      },
      throttle: server.control
        ? async (refuses) => void (await admin.config('SET', 'maxmemory', refuses ? '1' : '0'))
        : SHARED,
      restart: server.control
        ? async () => {
            await server.control?.kill();
            await server.control?.restart();
          }
        : SHARED,
      async removeDue(ms) {
        for (const key of await keysOfRun(admin, run)) {
          const left = await admin.pttl(key);
          if (left >= 0 && left <= ms) await admin.unlink(key);
        }
      },
      forget: async () => void (await admin.script('FLUSH')),
    },
  };
  return {
    adapter,
    async stop() {
      for (const key of await keysOfRun(admin, run)) await admin.unlink(key);
      admin.disconnect();
      await server.stop();
    },
  };
}

/** The same server and credentials, by another address. */
function through(url: string, { host, port }: Address): string {
  const other = new URL(url);
  other.hostname = host;
  other.port = String(port);
  return other.href;
}

async function keysOfRun(admin: Redis, run: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const some of admin.scanStream({ match: `${run}*`, count: 1000 }))
    keys.push(...(some as string[]));
  return keys;
}

/** Every name and value under the prefixes of this run, whatever its type. */
async function contents(admin: Redis, run: string): Promise<string[]> {
  const texts: string[] = [];
  for (const key of await keysOfRun(admin, run)) {
    texts.push(key, ...(await valuesOf(admin, key)));
  }
  return texts;
}

async function valuesOf(admin: Redis, key: string): Promise<string[]> {
  switch (await admin.type(key)) {
    case 'list':
      return admin.lrange(key, 0, -1);
    case 'hash':
      return Object.entries(await admin.hgetall(key)).flat();
    case 'zset':
      return admin.zrange(key, '0', '-1');
    case 'string':
      return [(await admin.get(key)) ?? ''];
    default:
      return [];
  }
}
