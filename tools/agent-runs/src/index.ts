import { approvalScenario } from './approval.ts';
import { guardrailScenarios } from './guardrails.ts';
import { racingScenario } from './racing-runs.ts';
import type { AgentScenario } from './scenario.ts';
import { turnScenarios } from './turns.ts';

export { approvalScenario } from './approval.ts';
export type { SessionElsewhere } from './elsewhere.ts';
export { type LongConversation, longConversation } from './long-conversation.ts';
export { official } from './official.ts';
export type { AgentRun, AgentScenario, OpenSession } from './scenario.ts';
export { approveInAnotherProcess } from './two-processes.ts';

/** All scenarios that one process can run. */
export const agentScenarios: readonly AgentScenario[] = [
  ...turnScenarios,
  ...guardrailScenarios,
  approvalScenario,
  racingScenario,
];
