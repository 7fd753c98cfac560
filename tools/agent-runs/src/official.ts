import { MemorySession } from '@openai/agents';
import type { AgentRun, AgentScenario } from './scenario.ts';

/** What the official SDK's own session makes of a scenario: what every session has to make of it. */
export function official(scenario: AgentScenario): Promise<AgentRun> {
  const session = new MemorySession();
  return scenario.run(() => session);
}
