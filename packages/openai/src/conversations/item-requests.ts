import type { ApiItem } from '../items/api-item.ts';

/** The most items that the API takes in one request. */
const MAX_ITEMS = 20;

/**
 * Parts items into requests (CONV-4). Reasoning is not parted from what follows it, where that can be: the API may
 * refuse the one without the other.
 */
export function itemRequests(items: readonly ApiItem[]): ApiItem[][] {
  const requests: ApiItem[][] = [];
  for (let start = 0; start < items.length; ) {
    let end = Math.min(start + MAX_ITEMS, items.length);
    const isLast = end === items.length;
    while (!isLast && end > start && items[end - 1]?.type === 'reasoning') end--;
    if (end === start) end = start + MAX_ITEMS;
    requests.push(items.slice(start, end));
    start = end;
  }
  return requests;
}
