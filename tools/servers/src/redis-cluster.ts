import { freePort } from './free-port.ts';
import { guarded } from './guarded.ts';
import { type Program, programSources } from './program.ts';
import { identify, redisArgs, redisPlaces } from './redis.ts';
import { redisCall } from './resp.ts';
import { firstWorking, say } from './source.ts';
import { until } from './until.ts';

/** A Redis Cluster in which every node reports all slots served. */
export interface RunningCluster {
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly engine: string;
  readonly version: string;
  readonly source: string;
  /** Ends all nodes and deletes their data folder; resolves when all are gone. May be called again. */
  stop(): Promise<void>;
}

const SLOTS = 16_384;
const BUS_DISTANCE = 10_000;

/** Starts a Redis Cluster of three primaries. REDIS_URL isn't used: it names one server. */
export async function startRedisCluster(): Promise<RunningCluster> {
  const sources = programSources(redisPlaces).map((source) => ({
    ...source,
    open: async () => startNodes(await source.open()),
  }));
  const cluster = await firstWorking('redis cluster', sources);
  say(`redis cluster: ${cluster.engine} ${cluster.version}, source '${cluster.source}'`);
  return cluster;
}

async function startNodes(program: Program): Promise<RunningCluster> {
  const ports = new Set<number>();
  while (ports.size < 3) ports.add(await freePort([BUS_DISTANCE]));
  const nodes = [...ports].map((port) => ({ host: '127.0.0.1', port, url: `redis://127.0.0.1:${port}` }));
  const processes = nodes.map(({ port }) => [
    ...redisArgs(program, port),
    ...['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`],
    ...['--cluster-announce-ip', '127.0.0.1'],
  ]);
  const server = guarded('redis-cluster', program.plan(processes, [...ports]));
  try {
    const [found] = await server.start(() => Promise.all(nodes.map(({ url }) => identify(url))));
    await join(nodes);
    return {
      nodes: nodes.map(({ host, port }) => ({ host, port })),
      ...found!,
      source: program.source,
      stop: server.stop,
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function join(nodes: readonly { port: number; url: string }[]): Promise<void> {
  for (const [index, { url }] of nodes.entries()) {
    const from = Math.ceil((index * SLOTS) / nodes.length);
    const to = Math.ceil(((index + 1) * SLOTS) / nodes.length);
    const slots = Array.from({ length: to - from }, (_, offset) => String(from + offset));
    await redisCall(url, [
      // Nodes that start with the same epoch have to settle it between them first, which takes seconds.
      ['CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1)],
      // Not ADDSLOTSRANGE, which Redis 6 doesn't know.
      ['CLUSTER', 'ADDSLOTS', ...slots],
    ]);
  }
  const meet = nodes.map(({ port }) => ['CLUSTER', 'MEET', '127.0.0.1', String(port)]);
  await redisCall(nodes[0]!.url, meet.slice(1));
  const settled = ['cluster_state:ok', `cluster_slots_ok:${SLOTS}`, `cluster_known_nodes:${nodes.length}`];
  await until(async () => {
    for (const { url } of nodes) {
      const [info] = await redisCall(url, [['CLUSTER', 'INFO']]);
      for (const wanted of settled) {
        if (!String(info).includes(wanted)) throw new Error(`${url} does not report ${wanted}:\n${info}`);
      }
    }
  }, 30_000);
}
