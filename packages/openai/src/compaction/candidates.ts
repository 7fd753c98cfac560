import { recordOf } from '../items/api-item.ts';

/** What a compaction would make shorter: everything but what people said, and what was compacted before. */
export function compactionCandidates<TItem>(items: readonly TItem[]): TItem[] {
  return items.filter((item) => {
    const { type = 'message', role } = recordOf(item) ?? {};
    return type !== 'compaction' && !(type === 'message' && role === 'user');
  });
}
