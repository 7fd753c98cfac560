import { message } from '../items.ts';

/** How an expected suffix differs from the newest items. The first three are the same data as they are. */
export const SUFFIX_TWISTS = [
  'as it is',
  'keys reversed',
  'undefined added',
  'oldest left out',
  'newest left out',
  'newest changed',
  'one more',
  'reversed',
] as const;

export type SuffixTwist = (typeof SUFFIX_TWISTS)[number];

export function twistSuffix(newest: readonly unknown[], twist: SuffixTwist): unknown[] {
  switch (twist) {
    case 'as it is':
      return [...newest];
    case 'keys reversed':
      return newest.map(withKeysReversed);
    case 'undefined added':
      return newest.map((item) => (isPlain(item) ? { ...item, added: undefined } : item));
    case 'oldest left out':
      return newest.slice(1);
    case 'newest left out':
      return newest.slice(0, -1);
    case 'newest changed':
      return [...newest.slice(0, -1), { was: newest.at(-1) ?? null }];
    case 'one more':
      return [message(0), ...newest];
    case 'reversed':
      return newest.toReversed();
  }
}

/** The same data with the keys of all its objects the other way round. */
export function withKeysReversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKeysReversed);
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([key, property]) => [key, withKeysReversed(property)] as const);
  return Object.fromEntries(entries.reverse());
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
