/**
 * Whether two values are the same data. A property that is `undefined` is like one that is absent.
 *
 * @param keys - whether objects must have their keys in the same order too
 */
export function sameData(a: unknown, b: unknown, keys: 'in order' | 'in any order'): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return sameList(a, b, keys);
  if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
  if (a instanceof Uint8Array && b instanceof Uint8Array) return sameList([...a], [...b], keys);
  if (a instanceof Map && b instanceof Map) return sameList([...a], [...b], keys);
  if (a instanceof Set && b instanceof Set) return sameList([...a], [...b], keys);
  return sameList(properties(a, keys), properties(b, keys), keys);
}

function sameList(a: readonly unknown[], b: readonly unknown[], keys: 'in order' | 'in any order'): boolean {
  if (a.length !== b.length) return false;
  // `in`: a hole is not the same as `undefined`.
  return [...a.keys()].every((at) => at in a === at in b && sameData(a[at], b[at], keys));
}

function properties(owner: object, keys: 'in order' | 'in any order'): [string, unknown][] {
  const present = Object.entries(owner).filter(([, value]) => value !== undefined);
  return keys === 'in order' ? present : present.sort(([a], [b]) => (a < b ? -1 : 1));
}
