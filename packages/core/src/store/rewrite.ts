import type { HistoryChange } from './history-store.ts';
import { checkBatchSize } from './limits.ts';

/** A mutation, checked and written down. */
export interface EncodedMutation {
  readonly callId: string;
  readonly replacement: { readonly record: string; readonly item: unknown };
}

/** Whether an item is a function call, with this call id if one is given. */
export function isFunctionCall(item: unknown, callId?: string): boolean {
  if (typeof item !== 'object' || item === null) return false;
  const call = item as { type?: unknown; callId?: unknown };
  return call.type === 'function_call' && (callId === undefined || call.callId === callId);
}

/**
 * The change that a rewrite comes to: for each mutation the first call with its id is replaced, later ones go, all
 * else stays byte for byte (RWR-1).
 *
 * @returns `undefined` if nothing changes
 * @throws SessionError `ITEM_TOO_LARGE` if more than a batch would have to be written again
 */
export function rewriteCalls(
  history: { readonly records: readonly string[]; readonly items: readonly unknown[] },
  mutations: readonly EncodedMutation[],
): Pick<HistoryChange, 'drop' | 'add'> | undefined {
  const { records } = history;
  let entries = records.map((record, at) => ({ record, item: history.items[at] }));
  for (const { callId, replacement } of mutations) {
    const first = entries.findIndex(({ item }) => isFunctionCall(item, callId));
    entries = entries
      .map((entry, at) => (at === first ? replacement : entry))
      .filter((entry, at) => at === first || !isFunctionCall(entry.item, callId));
  }
  const firstChange = records.findIndex((record, at) => entries[at]?.record !== record);
  if (firstChange === -1) return undefined;
  const add = entries.slice(firstChange).map(({ record }) => record);
  checkBatchSize(add);
  return { drop: records.length - firstChange, add };
}
