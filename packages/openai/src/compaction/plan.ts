import { type HistorySnapshot, type OpenAIResponsesCompactionMode, SessionError } from '@sessions/core';
import type { ApiItem } from '../items/api-item.ts';
import { coverageOf, type ModelExchange } from './coverage.ts';
import { type CompactionInput, compactionInput } from './input.ts';
import { type ResolvedCompactionMode, resolveCompactionMode } from './mode.ts';
import { beginsWith } from './reading.ts';

/** A response that is known, and the stored history that its chain holds. */
export interface LastResponse<TItem> {
  readonly responseId: string;
  readonly history: HistorySnapshot<TItem>;
}

/** What one compaction is to do. */
export interface CompactionPlan<TItem> {
  readonly mode: ResolvedCompactionMode;
  /** The last response's. */
  readonly responseId: string | undefined;
  /** The last response, if its chain holds what is stored, and nothing else; to be remembered. */
  readonly last: LastResponse<TItem> | undefined;
  /** What is replaced. */
  readonly history: HistorySnapshot<TItem>;
  readonly input: CompactionInput<TItem>;
}

/** What there is to go by. */
interface Known<TItem> {
  readonly wanted: OpenAIResponsesCompactionMode;
  /** The whole history, as it is now. */
  readonly history: HistorySnapshot<TItem>;
  /** Whether the API keeps the last response, if that was said. */
  readonly store: boolean | undefined;
}

/** For a compaction that somebody asked for. */
export function manualPlan<TItem>(
  { wanted, history, store }: Known<TItem>,
  last: LastResponse<TItem> | undefined,
): CompactionPlan<TItem> {
  // Else somebody took something away that its chain still holds.
  const isOfThis = last && beginsWith(history.items, last.history.items);
  if (last && isOfThis) {
    const input = compactionInput(last.history.items);
    const mode = resolveCompactionMode(wanted, {
      responseId: last.responseId,
      store: input.kept.length > 0 ? false : store,
    });
    if (mode === 'previous_response_id') {
      return { mode, responseId: last.responseId, last, history: last.history, input };
    }
  } else if (wanted === 'previous_response_id') {
    throw new SessionError('INVALID_ARGUMENT', {
      message:
        "To compact by 'previous_response_id', pass the `responseId` of the last response. It is forgotten when the history is compacted, or when something is taken away.",
      adapter: 'openai',
    });
  }
  const kept = isOfThis ? last : undefined;
  const input = compactionInput(history.items);
  return { mode: 'input', responseId: kept?.responseId, last: kept, history, input };
}

/**
 * For a compaction at the end of a run, which is to replace only what the model has seen (CMP-7).
 *
 * @param comparable - what the session inside makes of items that are compared
 * @returns `undefined` if the model has not seen all of it, or if there is no other way than a chain that holds more
 */
export function automaticPlan<TItem>(
  { wanted, history, store }: Known<TItem>,
  { items: seen, responseId }: ModelExchange,
  comparable: (items: readonly unknown[]) => readonly unknown[],
): CompactionPlan<TItem> | undefined {
  const input = compactionInput(history.items);
  // The runner shows nothing that is older than the newest compaction, which stands for it.
  const newest = input.compacted.findLastIndex((item) => (item as ApiItem).type === 'compaction');
  const shown = input.compacted.slice(Math.max(0, newest));
  const { isSeen, hasMore } = coverageOf(comparable(shown), comparable(seen));
  if (!isSeen) return undefined;
  // A chain would bring in what is not stored, or part a call from its answer.
  const isExact = !hasMore && input.kept.length === 0;
  const last = isExact && responseId !== undefined ? { responseId, history } : undefined;
  const mode = resolveCompactionMode(wanted, { responseId: last?.responseId, store });
  const canChain = responseId !== undefined && input.kept.length === 0;
  if (mode === 'previous_response_id' && !canChain) return undefined;
  return { mode, responseId, last, history, input };
}
