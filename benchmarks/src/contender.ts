import type { AgentInputItem } from '@openai/agents';

/** A way to keep conversations: ours, the bare driver, or another library. */
export interface Contender<TBatch = unknown> {
  /** As the tables call it. */
  readonly name: string;
  /** Makes of items what `add` takes, which is not measured. */
  batch(items: readonly AgentInputItem[]): TBatch;
  /** Begins a conversation that holds these items, as if turn after turn had added them. */
  begin(items: readonly AgentInputItem[]): Promise<Conversation<TBatch>>;
}

/** One conversation, as one request of a server holds it. */
export interface Conversation<TBatch = unknown> {
  add(batch: TBatch): Promise<unknown>;
  /** The newest items, oldest first; all, if no limit is given. */
  newest(limit?: number): Promise<readonly unknown[]>;
  /** The same conversation, as the next request opens it. */
  again(): Conversation<TBatch>;
}
