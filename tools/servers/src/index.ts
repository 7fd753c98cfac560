export { type RunningServer, startRedis } from './redis.ts';
export { type RunningCluster, startRedisCluster } from './redis-cluster.ts';
export { ServerUnavailableError } from './source.ts';
