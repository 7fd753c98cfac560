import { API_ITEM_TYPES, type ApiItem } from '../items/api-item.ts';
import { isGenerated } from './pairs.ts';

/**
 * Which items bear an id that the API may refuse, since the reasoning that led to them is not there (CMP-5). Without the
 * id it takes them as they are; types that it takes only with their id are left alone.
 */
export function orphansOf(items: readonly ApiItem[]): Set<number> {
  const orphans = new Set<number>();
  let isReasoned = false;
  for (const [at, item] of items.entries()) {
    const { type = 'message', id } = item;
    isReasoned = isGenerated(item) && (isReasoned || type === 'reasoning');
    const losesId = type === 'message' || API_ITEM_TYPES.get(type as string)?.needsId === false;
    if (isGenerated(item) && losesId && id !== undefined && !isReasoned) orphans.add(at);
  }
  return orphans;
}
