import type { OpenAIResponsesCompactionArgs, SessionCallOptions } from '@sessions/core';
import type { AnySession } from './adapter.ts';

/** How the kit wants a session to compact itself. */
export interface CompactionWish {
  /** Where the kit plays the Responses API: `POST {baseURL}/responses/compact`. Any key will do. */
  readonly baseURL: string;
  /** The mode where a call does not say; the wrapper's own if left out, which has to be `auto`. */
  readonly compactionMode?: OpenAIResponsesCompactionArgs['compactionMode'];
  /** Decides in the place of the wrapper's threshold, from the items that a compaction would make shorter. */
  readonly shouldTriggerCompaction?: ((candidates: readonly unknown[]) => boolean) | undefined;
}

/** What a run of the official runner hands to `runCompaction` of what its model was shown and answered. */
export interface SeenExchange {
  readonly items: unknown[];
  readonly responseId?: string;
}

/** A session that compacts itself, as the official runner takes it. Its items are the Agents SDK's. */
export type CompactingSession = AnySession & {
  runCompaction(
    args?: OpenAIResponsesCompactionArgs,
    options?: SessionCallOptions & object,
    receipt?: object | null,
    exchange?: SeenExchange,
  ): Promise<{ usage: unknown } | null>;
  getItemsWithCompactionOwnership?(): Promise<{ items: unknown[]; ownership: object }>;
  addItemsWithCompactionOwnership?(items: unknown[], ownership: object | null): Promise<void>;
};

/** How the kit gets at a wrapper that compacts. */
export interface CompactionPart {
  /** Lays the wrapper over a session that the adapter has built; both are the kit's to use. */
  wrap(session: AnySession, wish: CompactionWish): CompactingSession;
}
