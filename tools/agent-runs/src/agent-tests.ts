import type { Session } from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { approvalScenario } from './approval.ts';
import type { SessionElsewhere } from './elsewhere.ts';
import { agentScenarios } from './index.ts';
import { longConversation } from './long-conversation.ts';
import { official } from './official.ts';
import { approveInAnotherProcess } from './two-processes.ts';

/** Sessions in a store that other processes reach too. Not asked for before its server was started. */
export interface SessionsInStore {
  /** A new instance. */
  open(sessionId: string): Session;
  /** How another process builds one. */
  elsewhere(sessionId: string): SessionElsewhere;
}

/** The official runner's conversations, as tests of an adapter. */
export function agentTests({ open, elsewhere }: SessionsInStore): void {
  describe('real agent runs leave what they leave in the official session', () => {
    test.each(agentScenarios)('$name', async (scenario) => {
      const sessionId = crypto.randomUUID();
      const run = await scenario.run(() => open(sessionId));
      expect(run).toEqual(await official(scenario));
    });

    test('a human approval, given in another process', async () => {
      const sessionId = crypto.randomUUID();
      const run = await approveInAnotherProcess(() => open(sessionId), elsewhere(sessionId));
      expect(run).toEqual(await official(approvalScenario));
    });

    test('60 turns with tools, compacted on the way, some runs going on in other processes', async () => {
      const sessionId = crypto.randomUUID();
      const { compactions, lengths, pids } = await longConversation(
        () => open(sessionId),
        elsewhere(sessionId),
      );
      expect(pids).toHaveLength(5);
      expect(compactions).toBeGreaterThan(10);
      expect(Math.max(...lengths)).toBeLessThan(30);
    });
  });
}
