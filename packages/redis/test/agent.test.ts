import { agentTests } from '@sessions/agent-runs/tests';
import { type RunningRedis, startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { afterAll, beforeAll } from 'vitest';
import { RedisSession } from '../src/index.ts';

let server: RunningRedis;
let client: Redis;

beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.url);
});
afterAll(async () => {
  client.disconnect();
  await server.stop();
});

agentTests({
  open: (sessionId) => new RedisSession({ sessionId, client }),
  elsewhere: (sessionId) => ({
    module: new URL('../src/index.ts', import.meta.url).href,
    name: 'RedisSession',
    options: { sessionId, url: server.url },
  }),
});
