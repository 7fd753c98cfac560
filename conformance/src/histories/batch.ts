import { stringify } from 'fast-check';
import { copy } from '../own-realm.ts';
import { NOT_DATA } from './not-data.ts';

/** Items to be written together. */
export interface Batch {
  readonly items: readonly unknown[];
  /** Set if one more item, in this place, holds what is not data: which of `NOT_DATA`. */
  readonly refused?: { readonly index: number; readonly kind: number } | undefined;
}

/** The batch as an array of the caller's own. */
export function arrayOf({ items, refused }: Batch): unknown[] {
  const array = copy([...items]);
  if (refused) array.splice(refused.index, 0, { content: [NOT_DATA[refused.kind]!.make()] });
  return array;
}

const LONGEST_SOURCE = 600;

/** The batch as it would be written in code, cut off where nobody would read on. */
export function sourceOf({ items, refused }: Batch): string {
  const sources = items.map((item) => stringify(item));
  if (refused) sources.splice(refused.index, 0, `{ content: [${NOT_DATA[refused.kind]!.source}] }`);
  const source = sources.join(', ');
  if (source.length <= LONGEST_SOURCE) return `[${source}]`;
  return `[${source.slice(0, LONGEST_SOURCE)}… ${sources.length} items]`;
}
