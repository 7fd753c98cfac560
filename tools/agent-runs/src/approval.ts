import assert from 'node:assert/strict';
import { RunState, run, type Session } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { type AgentRun, type AgentScenario, outcome, shownTo } from './scenario.ts';
import { travelAgent } from './travel-agent.ts';

/** Runs until a person is asked. What is returned is all that is left of the run besides the session. */
export async function runUntilAsked(session: Session): Promise<{ state: string; shown: AgentRun['shown'] }> {
  const model = new ScriptedModel([
    [
      functionCall('weather', { city: 'Lisbon' }, { callId: 'call_1' }),
      functionCall('book', { flight: 'TP 577' }, { callId: 'call_2' }),
    ],
  ]);
  const result = await run(travelAgent(model), 'Book TP 577, if it is sunny.', { session });
  assert.deepEqual(
    result.interruptions.map(({ name }) => name),
    ['book'],
  );
  return { state: result.state.toString(), shown: shownTo(model) };
}

/** Allows what was asked for, and runs to the end. */
export async function allowAndRun(session: Session, serialized: string): Promise<AgentRun['shown']> {
  const model = new ScriptedModel([[assistantMessage('It is sunny, and you are booked.')]]);
  const agent = travelAgent(model);
  const state = await RunState.fromString(agent, serialized);
  for (const interruption of state.getInterruptions()) state.approve(interruption);
  const { finalOutput } = await run(agent, state, { session });
  assert.equal(finalOutput, 'It is sunny, and you are booked.');
  return shownTo(model);
}

/** A turn afterwards, for which the whole history is read again. */
export async function runOn(session: Session): Promise<AgentRun['shown']> {
  const model = new ScriptedModel([[assistantMessage('TP 577.')]]);
  await run(travelAgent(model), 'Which flight was it?', { session });
  return shownTo(model);
}

export const approvalScenario: AgentScenario = {
  name: 'a human approval, given to the serialized run',
  async run(open) {
    const asked = await runUntilAsked(open());
    const allowed = await allowAndRun(open(), asked.state);
    const after = await runOn(open());
    const { stored } = await outcome(open);
    return { stored, shown: [...asked.shown, ...allowed, ...after] };
  },
};
