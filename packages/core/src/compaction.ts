import type { CapabilityCallOptions } from './capabilities.ts';
import type { Session } from './session.ts';

/** How a compaction request is given the history. */
export type OpenAIResponsesCompactionMode = 'previous_response_id' | 'input' | 'auto';

/** What `runCompaction` takes. */
export interface OpenAIResponsesCompactionArgs {
  /** The id of the last response. */
  responseId?: string | undefined;
  /**
   * `previous_response_id`: the history that the service keeps. `input`: the items stored here. `auto`: input
   * when the last response was not stored or no response id is known.
   */
  compactionMode?: OpenAIResponsesCompactionMode | undefined;
  /** Whether the last response was stored by the service; if not, its id cannot be used. */
  store?: boolean | undefined;
  /** Compacts though the threshold is not met. */
  force?: boolean | undefined;
}

/** What a compaction consumed. */
export interface OpenAIResponsesCompactionResult {
  usage: unknown;
}

/** A session that can shorten its history through the Responses API (CMP). */
export interface OpenAIResponsesCompactionAwareSession<TItem = unknown> extends Session<TItem> {
  /** Runs a compaction if one is due; `null` when it was skipped (CMP-6). */
  runCompaction(
    args?: OpenAIResponsesCompactionArgs,
    options?: CapabilityCallOptions,
  ): Promise<OpenAIResponsesCompactionResult | null>;
}

/** Whether a session can compact itself. False for null, and for a getter that throws. */
export function isOpenAIResponsesCompactionAwareSession<TItem>(
  session: Session<TItem> | null | undefined,
): session is OpenAIResponsesCompactionAwareSession<TItem> {
  try {
    return typeof (session as { runCompaction?: unknown } | null | undefined)?.runCompaction === 'function';
  } catch {
    return false;
  }
}
