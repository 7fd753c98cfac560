import { types } from 'node:util';
import type { SessionMutation } from './mutant.ts';

/** Changes one value, given those that it lies in. What it returns is walked on. */
export type Change = (value: unknown, ancestors: readonly unknown[]) => unknown;

/** A session that takes other items than it was given. */
export function takes(change: (item: unknown) => unknown): SessionMutation {
  return (right) => ({
    addItems: async (items, options) => {
      await right.addItems(Array.isArray(items) ? items.map((item) => change(item)) : items, options);
    },
  });
}

/** A session that returns other items than it stored. */
export function returns(change: (item: unknown) => unknown): SessionMutation {
  return (right) => ({
    getItems: async (limit, options) => (await right.getItems(limit, options)).map((item) => change(item)),
    popItem: async (options) => {
      const item = await right.popItem(options);
      return item === undefined ? undefined : change(item);
    },
  });
}

/** Applies a change at every depth of an item. */
export function inside(change: Change): (item: unknown) => unknown {
  return (item) => walk(item, change, [], new Map());
}

/** A copy in which everything else is as it was, accessors, hidden properties and cycles too. */
function walk(
  value: unknown,
  change: Change,
  ancestors: readonly unknown[],
  copies: Map<unknown, unknown>,
): unknown {
  const next = change(value, ancestors);
  if (typeof next !== 'object' || next === null || types.isProxy(next)) return next;
  if (copies.has(next)) return copies.get(next);
  const within = (inner: unknown) => walk(inner, change, [...ancestors, value], copies);
  switch (Object.getPrototypeOf(next)) {
    case Map.prototype: {
      const copy = new Map<unknown, unknown>();
      copies.set(next, copy);
      for (const [key, entry] of next as Map<unknown, unknown>) copy.set(within(key), within(entry));
      return copy;
    }
    case Set.prototype: {
      const copy = new Set<unknown>();
      copies.set(next, copy);
      for (const entry of next as Set<unknown>) copy.add(within(entry));
      return copy;
    }
    case Array.prototype:
    case Object.prototype: {
      const copy: object = Array.isArray(next) ? [] : {};
      copies.set(next, copy);
      for (const key of Reflect.ownKeys(next)) {
        const property = Object.getOwnPropertyDescriptor(next, key)!;
        if ('value' in property) property.value = within(property.value);
        Object.defineProperty(copy, key, property);
      }
      return copy;
    }
    default:
      return next;
  }
}

/** Changes the entries of plain objects, at every depth. */
export function entries(change: (all: [string, unknown][]) => [string, unknown][]): Change {
  return (value) => {
    return isPlain(value) ? Object.fromEntries(change(Object.entries(value))) : value;
  };
}

/** Whether a value is an object of the kind that a literal makes. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
