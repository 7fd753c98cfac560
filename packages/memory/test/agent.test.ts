import { agentScenarios, longConversation, official } from '@sessions/agent-runs';
import { describe, expect, test } from 'vitest';
import { MemorySession, MemoryStore } from '../src/index.ts';

// A session in memory cannot cross processes: the approval is given to the serialized run in the same one.
describe('real agent runs leave what they leave in the official session', () => {
  test.each(agentScenarios)('$name', async (scenario) => {
    const store = new MemoryStore();
    const run = await scenario.run(() => new MemorySession({ sessionId: 'agent', store }));
    expect(run).toEqual(await official(scenario));
  });

  test('60 turns with tools, compacted on the way, whose runs wait for a person now and then', async () => {
    const store = new MemoryStore();
    const open = () => new MemorySession({ sessionId: 'agent', store });
    const { compactions, lengths } = await longConversation(open);
    expect(compactions).toBeGreaterThan(10);
    expect(Math.max(...lengths)).toBeLessThan(30);
  });
});
