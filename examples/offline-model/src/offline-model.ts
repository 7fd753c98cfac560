import {
  type AgentInputItem,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  setTracingDisabled,
} from '@openai/agents';
import { modelResponder, ScriptedModel } from '@openai/agents/testing';

/** What the model says next. Like a real one, it knows nothing but what it is shown. */
export type Answer = (
  shown: readonly AgentInputItem[],
  signal: AbortSignal | undefined,
) => AgentOutputItem | Promise<AgentOutputItem>;

/**
 * What an agent is built with: a model that needs no network, or nothing where OPENAI_API_KEY is set, so that it talks to
 * the SDK's default model.
 */
export function modelUnlessKey(answer: Answer): { model?: Model } {
  if (process.env.OPENAI_API_KEY) return {};
  // Traces would be sent to OpenAI.
  setTracingDisabled(true);
  return { model: new OfflineModel(answer) };
}

/** A scripted model whose script does not end. */
class OfflineModel extends ScriptedModel {
  readonly #step;

  constructor(answer: Answer) {
    super();
    this.#step = modelResponder(async ({ request: { input, signal } }) => [
      await answer(typeof input === 'string' ? [{ role: 'user', content: input }] : input, signal),
    ]);
  }

  override getResponse(request: ModelRequest) {
    this.enqueue(this.#step);
    return super.getResponse(request);
  }

  override getStreamedResponse(request: ModelRequest) {
    this.enqueue(this.#step);
    return super.getStreamedResponse(request);
  }
}
