import { SessionError } from '@sessions/core';
import type { ApiItem } from '../items/api-item.ts';
import { NotAnApiItem } from '../items/to-api-item.ts';
import { apiFormOf, formatOf, withoutId } from './format.ts';
import { orphansOf } from './orphans.ts';
import { halvesOf } from './pairs.ts';

/** A history, parted into what is compacted and what is not. */
export interface CompactionInput<TItem> {
  /** What the compaction stands for afterwards, oldest first. */
  readonly compacted: TItem[];
  /** What stays as it is: halves of a call and its answer, and the reasoning that led to such a call (CMP-7). */
  readonly kept: TItem[];
  /**
   * What is compacted, as the API takes it (CMP-5).
   *
   * @throws SessionError `INVALID_ITEM`, with the index of what is no item of the API's nor of the Agents SDK's
   */
  request(): ApiItem[];
}

/** Parts a history for a compaction. */
export function compactionInput<TItem>(items: readonly TItem[]): CompactionInput<TItem> {
  const format = formatOf(items);
  const formOf = (item: unknown, index: number) => {
    try {
      return apiFormOf(item, format);
    } catch (error) {
      if (error instanceof NotAnApiItem) return notAnItem(index, error);
      throw error;
    }
  };
  const forms = items.map(formOf);
  const apiItems = forms.map((form) => (form instanceof SessionError ? undefined : form));
  const kept = withReasoning(halvesOf(apiItems), apiItems);
  const places = [...items.keys()].filter((at) => !kept.has(at));
  return {
    compacted: places.map((at) => items[at]!),
    kept: keptItems([...kept].sort((a, b) => a - b).map((at) => ({ item: items[at]!, form: apiItems[at]! }))),
    request() {
      const sent = places.filter((at) => forms[at] !== undefined);
      const failed = sent.map((at) => forms[at]).find((form) => form instanceof SessionError);
      if (failed) throw failed;
      const orphans = orphansOf(sent.map((at) => apiItems[at]!));
      return sent.map((at, nth) => {
        if (!orphans.has(nth)) return apiItems[at]!;
        // Converted anew, since the Agents SDK's messages have another form without an id.
        return formOf(withoutId(items[at] as ApiItem), at) as ApiItem;
      });
    },
  };
}

/** The places, and those of the reasoning right before them. */
function withReasoning(places: ReadonlySet<number>, items: readonly (ApiItem | undefined)[]): Set<number> {
  const all = new Set(places);
  for (const place of places) {
    for (let at = place - 1; items[at]?.type === 'reasoning'; at--) all.add(at);
  }
  return all;
}

function keptItems<TItem>(kept: readonly { item: TItem; form: ApiItem }[]): TItem[] {
  const orphans = orphansOf(kept.map(({ form, item }) => ({ ...form, id: (item as ApiItem).id })));
  return kept.map(({ item }, at) => (orphans.has(at) ? (withoutId(item as ApiItem) as TItem) : item));
}

function notAnItem(index: number, { message, path }: NotAnApiItem): SessionError {
  return new SessionError('INVALID_ITEM', {
    message: `Item ${index} of the history cannot be sent to be compacted: ${message}${path && ` (at ${path})`}. The history is unchanged.`,
    adapter: 'openai',
    index,
    path,
  });
}
