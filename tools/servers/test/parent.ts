// A process that starts a server and a cluster, tells their traces and waits to be killed.
import { startRedis, startRedisCluster } from '../src/index.ts';
import { tracesOf } from './traces.ts';

const [server, cluster] = await Promise.all([startRedis(), startRedisCluster()]);
const urls = [server.url, ...cluster.nodes.map(({ host, port }) => `redis://${host}:${port}`)];
console.log(JSON.stringify(await Promise.all(urls.map(tracesOf))));
setInterval(() => {}, 1_000);
