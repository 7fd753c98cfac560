import { isDeepStrictEqual } from 'node:util';

/**
 * Prototypes of the engine's own clones, where they are not those of this code, and what they are here. Jest gives each
 * test file a realm of its own, in which what Node.js itself makes belongs to another: equal data that is not equal.
 */
const FOREIGN = new Map<object, object>();

for (const builtIn of [
  {},
  [],
  new Date(0),
  new Map(),
  new Set(),
  new ArrayBuffer(0),
  new DataView(new ArrayBuffer(0)),
  new Int8Array(),
  new Uint8Array(),
  new Uint8ClampedArray(),
  new Int16Array(),
  new Uint16Array(),
  new Int32Array(),
  new Uint32Array(),
  new Float32Array(),
  new Float64Array(),
  new BigInt64Array(),
  new BigUint64Array(),
]) {
  const here = Object.getPrototypeOf(builtIn) as object;
  const there = Object.getPrototypeOf(structuredClone(builtIn)) as object;
  if (there !== here) FOREIGN.set(there, here);
}

/** A deep copy of data. */
export function copy<T>(value: T): T {
  return inOwnRealm(structuredClone(value));
}

/** Whether two values are the same data, whichever of the two realms made them: prototypes, `-0`, `NaN`, bytes and all. */
export function isEqual(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(inOwnRealm(a), inOwnRealm(b));
}

/** The same value, in which data of the other realm is of this one. Anything else in it stays what it is. */
export function inOwnRealm<T>(value: T): T {
  if (FOREIGN.size > 0) adopt(value, new Set());
  return value;
}

function adopt(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  const here = FOREIGN.get(Object.getPrototypeOf(value) as object);
  if (here) Reflect.setPrototypeOf(value, here);
  if (ArrayBuffer.isView(value)) return;
  if (value instanceof Map || value instanceof Set) for (const entry of value) adopt(entry, seen);
  for (const { value: property } of Object.values(Object.getOwnPropertyDescriptors(value)))
    adopt(property, seen);
}
