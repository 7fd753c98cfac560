import { approvalScenario } from './approval.ts';
import { guardrailScenarios } from './guardrails.ts';
import { racingScenario } from './racing-runs.ts';
import type { AgentScenario } from './scenario.ts';
import { turnScenarios } from './turns.ts';

export { approvalScenario } from './approval.ts';
export { official } from './official.ts';
export type { AgentRun, AgentScenario, OpenSession } from './scenario.ts';
export { approveInAnotherProcess, type SessionElsewhere } from './two-processes.ts';

/** All scenarios that one process can run. */
export const agentScenarios: readonly AgentScenario[] = [
  ...turnScenarios,
  ...guardrailScenarios,
  approvalScenario,
  racingScenario,
];
