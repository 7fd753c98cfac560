import {
  agentScenarios,
  approvalScenario,
  approveInAnotherProcess,
  longConversation,
  official,
} from '@sessions/agent-runs';
import { describe, expect, test } from 'vitest';
import { MongoSession } from '../src/index.ts';
import { mongoForTests } from './server.ts';

const mongo = mongoForTests();

describe('real agent runs leave what they leave in the official session', () => {
  test.each(agentScenarios)('$name', async (scenario) => {
    const sessionId = crypto.randomUUID();
    const client = mongo.client();
    const run = await scenario.run(() => new MongoSession({ sessionId, client }));
    expect(run).toEqual(await official(scenario));
  });

  test('a human approval, given in another process', async () => {
    const sessionId = crypto.randomUUID();
    const client = mongo.client();
    const run = await approveInAnotherProcess(() => new MongoSession({ sessionId, client }), {
      module: new URL('../src/index.ts', import.meta.url).href,
      name: 'MongoSession',
      options: { sessionId, url: mongo.server().url },
    });
    expect(run).toEqual(await official(approvalScenario));
  });

  test('60 turns with tools, compacted on the way, some runs going on in other processes', async () => {
    const sessionId = crypto.randomUUID();
    const client = mongo.client();
    const open = () => new MongoSession({ sessionId, client });
    const { compactions, lengths, pids } = await longConversation(open, {
      module: new URL('../src/index.ts', import.meta.url).href,
      name: 'MongoSession',
      options: { sessionId, url: mongo.server().url },
    });
    expect(pids).toHaveLength(5);
    expect(compactions).toBeGreaterThan(10);
    expect(Math.max(...lengths)).toBeLessThan(30);
  });
});
