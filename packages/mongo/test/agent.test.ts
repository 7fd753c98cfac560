import { agentScenarios, approvalScenario, approveInAnotherProcess, official } from '@sessions/agent-runs';
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
});
