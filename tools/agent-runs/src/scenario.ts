import assert from 'node:assert/strict';
import type { AgentInputItem, Session } from '@openai/agents';
import type { ScriptedModel } from '@openai/agents/testing';

/**
 * Opens the session under test: a new instance at each call, as a server does for each request, all of one
 * session that is empty at first. Ours come without a cast, so that a store whose types do not fit does not
 * compile.
 */
export type OpenSession = () => Session;

/** What came of a scenario. It is the same for every session that does what the official SDK's own does. */
export interface AgentRun {
  /** What the session holds afterwards, read through a new instance. */
  readonly stored: AgentInputItem[];
  /** What the model was given at each of its calls: all that the agent knew of the conversation. */
  readonly shown: (string | AgentInputItem[])[];
}

/** A conversation held by the official runner with a scripted model. */
export interface AgentScenario {
  readonly name: string;
  /** Rejects if the conversation did not go as its script says. */
  run(open: OpenSession): Promise<AgentRun>;
}

/** The outcome, once every step of the script was used. */
export async function outcome(open: OpenSession, ...models: ScriptedModel[]): Promise<AgentRun> {
  const stored = await open().getItems();
  assert.ok(stored.length > 0, 'a scenario that stores nothing says nothing about the session');
  for (const model of models) model.assertComplete();
  return { stored, shown: models.flatMap(shownTo) };
}

/** What a model was given at each of its calls. */
export function shownTo(model: ScriptedModel): AgentRun['shown'] {
  return model.calls.map(({ request }) => request.input);
}
