import type { AgentInputItem } from '@openai/agents';
import {
  OpenAIResponsesCompactionSession,
  type OpenAIResponsesCompactionSessionOptions,
} from '@sessions/openai';

/**
 * Compacts when that is due, at the end of a run; a failure does not take the answer from its user. The run is stored by then,
 * and the history is the former one (CMP-4): the next run tries again.
 */
export class CompactingSession extends OpenAIResponsesCompactionSession<AgentInputItem> {
  readonly #onFailure: (error: unknown) => void;

  constructor(
    options: OpenAIResponsesCompactionSessionOptions<AgentInputItem>,
    onFailure: (error: unknown) => void,
  ) {
    super(options);
    this.#onFailure = onFailure;
  }

  override async runCompaction(...args: Parameters<OpenAIResponsesCompactionSession['runCompaction']>) {
    try {
      return await super.runCompaction(...args);
    } catch (error) {
      this.#onFailure(error);
      return null;
    }
  }
}
