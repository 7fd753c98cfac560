import assert from 'node:assert/strict';
import { runOn, runUntilAsked } from './approval.ts';
import { type SessionElsewhere, scriptOf } from './elsewhere.ts';
import { type AgentRun, type OpenSession, outcome } from './scenario.ts';

/**
 * The conversation of `approvalScenario`, the person's answer being given in another process: only the
 * serialized run and what the store holds get there. Its outcome is that of the scenario in one process.
 */
export async function approveInAnotherProcess(
  open: OpenSession,
  elsewhere: SessionElsewhere,
): Promise<AgentRun> {
  const asked = await runUntilAsked(open());
  const allowed = await scriptOf<{ pid: number; shown: AgentRun['shown'] }>(
    'approving-process.ts',
    elsewhere,
    asked.state,
  );
  assert.notEqual(allowed.pid, process.pid);
  const after = await runOn(open());
  const { stored } = await outcome(open);
  return { stored, shown: [...asked.shown, ...allowed.shown, ...after] };
}
