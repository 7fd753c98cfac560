import type { HistoryChange } from './history-store.ts';
import { checkBatch, isSameRecord, type RecordCodec } from './record-codec.ts';

/** A mutation, checked and written down. */
export interface EncodedMutation<TRecord> {
  readonly callId: string;
  readonly replacement: Entry<TRecord>;
}

/** Whether an item is a function call. */
export function isFunctionCall(item: unknown): boolean {
  return typeof item === 'object' && item !== null && (item as { type?: unknown }).type === 'function_call';
}

interface Entry<TRecord> {
  readonly record: TRecord;
  readonly item: unknown;
}

function callIdOf({ item }: Entry<unknown>): unknown {
  return (item as { callId?: unknown }).callId;
}

function placesOf(places: Map<unknown, number[]>, callId: unknown): number[] {
  const known = places.get(callId) ?? [];
  places.set(callId, known);
  return known;
}

/**
 * The change that a rewrite comes to: for each mutation the first call with its id is replaced, later ones go, all
 * else stays byte for byte (RWR-1).
 *
 * @returns `undefined` if nothing changes
 * @throws SessionError `ITEM_TOO_LARGE` if more than a batch would have to be written again
 */
export function rewriteCalls<TRecord>(
  history: { readonly records: readonly TRecord[]; readonly items: readonly unknown[] },
  mutations: readonly EncodedMutation<TRecord>[],
  codec: RecordCodec<TRecord>,
): Pick<HistoryChange<TRecord>, 'drop' | 'add'> | undefined {
  const { records } = history;
  const entries: (Entry<TRecord> | undefined)[] = records.map((record, at) => ({
    record,
    item: history.items[at],
  }));
  const places = new Map<unknown, number[]>();
  for (const [at, entry] of entries.entries()) {
    if (isFunctionCall(entry?.item)) placesOf(places, callIdOf(entry!)).push(at);
  }
  for (const { callId, replacement } of mutations) {
    const [first, ...later] = (places.get(callId) ?? []).toSorted((a, b) => a - b);
    if (first === undefined) continue;
    entries[first] = replacement;
    for (const at of later) entries[at] = undefined;
    places.delete(callId);
    placesOf(places, callIdOf(replacement)).push(first);
  }
  const firstChange = records.findIndex((record, at) => {
    const entry = entries[at];
    return !entry || !isSameRecord(entry.record, record, codec);
  });
  if (firstChange === -1) return undefined;
  const add = entries.slice(firstChange).flatMap((entry) => (entry ? [entry.record] : []));
  checkBatch(add, codec);
  return { drop: records.length - firstChange, add };
}
