import { SessionError } from '@sessions/core';
import { COPIES, encodeAll } from '@sessions/core/store';
import type { ApiItem } from './api-item.ts';
import { notJsonPath } from './json-path.ts';
import { NotAnApiItem, toApiItem } from './to-api-item.ts';

/** Whose items a session gives and takes: the API's own (`responses`), or the Agents SDK's. */
export type ItemFormat = 'agents' | 'responses';

/**
 * Copies of items, in the form in which the API takes them (ADD-4, ADD-5).
 *
 * @throws SessionError `INVALID_ARGUMENT`, `INVALID_ITEM` with index and path, `ITEM_TOO_LARGE`
 */
export function preparedItems(items: unknown, format: ItemFormat): ApiItem[] {
  const copies = encodeAll(items, COPIES).map(COPIES.decode);
  const prepared = copies.map((copy, index) => {
    const item = format === 'agents' ? converted(copy, index) : (copy as ApiItem);
    const path = item && notJsonPath(item);
    if (path !== undefined)
      throw invalidItem(index, path, 'JSON cannot say this value, and the API takes JSON');
    return item;
  });
  return prepared.filter((item) => item !== undefined);
}

function converted(item: unknown, index: number): ApiItem | undefined {
  try {
    return toApiItem(item);
  } catch (error) {
    if (error instanceof NotAnApiItem) throw invalidItem(index, error.path, error.message);
    throw error;
  }
}

function invalidItem(index: number, path: string, why: string): SessionError {
  return new SessionError('INVALID_ITEM', {
    message: `Item ${index} cannot be stored: ${why}${path && ` (at ${path})`}. Nothing was written.`,
    index,
    path,
  });
}
