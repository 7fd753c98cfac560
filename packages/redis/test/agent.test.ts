import {
  agentScenarios,
  approvalScenario,
  approveInAnotherProcess,
  longConversation,
  official,
} from '@sessions/agent-runs';
import { type RunningRedis, startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('real agent runs leave what they leave in the official session', () => {
  test.each(agentScenarios)('$name', async (scenario) => {
    const sessionId = crypto.randomUUID();
    const run = await scenario.run(() => new RedisSession({ sessionId, client }));
    expect(run).toEqual(await official(scenario));
  });

  test('a human approval, given in another process', async () => {
    const sessionId = crypto.randomUUID();
    const run = await approveInAnotherProcess(() => new RedisSession({ sessionId, client }), {
      module: new URL('../src/index.ts', import.meta.url).href,
      name: 'RedisSession',
      options: { sessionId, url: server.url },
    });
    expect(run).toEqual(await official(approvalScenario));
  });

  test('60 turns with tools, compacted on the way, some runs going on in other processes', async () => {
    const sessionId = crypto.randomUUID();
    const open = () => new RedisSession({ sessionId, client });
    const { compactions, lengths, pids } = await longConversation(open, {
      module: new URL('../src/index.ts', import.meta.url).href,
      name: 'RedisSession',
      options: { sessionId, url: server.url },
    });
    expect(pids).toHaveLength(5);
    expect(compactions).toBeGreaterThan(10);
    expect(Math.max(...lengths)).toBeLessThan(30);
  });
});
