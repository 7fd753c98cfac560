import { isSessionError, SessionError } from '@sessions/core';
import { encodeItems, MAX_ITEM_BYTES } from '@sessions/core/store';
import { entries, inside, takes } from './changed-items.ts';
import { retelling, throwLike } from './errors-retold.ts';
import type { Mutant, SessionMutation } from './mutant.ts';
import { inPieces, readModifyWrite, wholeList } from './whole-list.ts';

/** A session that adds another batch than it was given. */
function adds(change: (items: unknown[]) => unknown[]): SessionMutation {
  return (right) => ({
    addItems: async (items, options) => right.addItems(Array.isArray(items) ? change(items) : items, options),
  });
}

function isStorable(item: unknown): boolean {
  try {
    encodeItems([item]);
    return true;
  } catch {
    return false;
  }
}

/** Items whose key was met before are left out. */
function oncePer(key: (item: unknown) => unknown): SessionMutation {
  return adds((items) => {
    const met = new Set<unknown>();
    return items.filter((item) => {
      const found = key(item);
      if (found === undefined) return true;
      const isNew = !met.has(found);
      met.add(found);
      return isNew;
    });
  });
}

export const addMutants: readonly Mutant[] = [
  {
    name: 'a batch is stored in reverse',
    clause: 'ADD-1',
    over: 'memory',
    session: adds((items) => items.toReversed()),
  },
  {
    name: 'items are written one by one',
    clause: 'ADD-1',
    over: 'memory',
    store: inPieces(1),
  },
  {
    name: 'later batches come first',
    clause: 'ADD-1',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (change.add.length === 0) return right.commit(change, call);
        const add = [...change.add, ...(await wholeList(right, call))];
        return right.commit({ ...change, drop: 'all', add }, call);
      },
    }),
  },
  {
    name: 'adding nothing writes a record that there is a session',
    clause: 'ADD-2',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        if (items.length > 0) return right.addItems(items, options);
        const transaction = { type: 'append_items' as const, items };
        return right.applyHistoryTransaction({ operationId: crypto.randomUUID(), transaction }, options);
      },
    }),
  },
  {
    name: 'adding nothing asks the store',
    clause: 'ADD-2',
    over: 'redis',
    session: (right) => ({
      addItems: async (items, options) => {
        if (items.length === 0) await right.getItems(1, options);
        await right.addItems(items, options);
      },
    }),
  },
  {
    name: 'a batch is split at 25',
    clause: 'ADD-3',
    over: 'memory',
    store: inPieces(25),
  },
  {
    name: 'a batch is split at 100',
    clause: 'ADD-3',
    over: 'memory',
    store: inPieces(100),
  },
  {
    name: 'of a batch the first 100 are stored',
    clause: 'ADD-3',
    over: 'memory',
    session: adds((items) => items.slice(0, 100)),
  },
  {
    name: 'an item over 400 KiB is refused',
    clause: 'ADD-3',
    over: 'memory',
    session: adds((items) => {
      if (encodeItems(items).some(({ length }) => length > 400 * 1024))
        throw new SessionError('ITEM_TOO_LARGE');
      return items;
    }),
  },
  {
    name: 'a batch over 16 MiB is refused',
    clause: 'ADD-3',
    over: 'memory',
    session: adds((items) => {
      const size = encodeItems(items).reduce((sum, { length }) => sum + length, 0);
      if (size > 16 * 1024 * 1024) throw new SessionError('ITEM_TOO_LARGE');
      return items;
    }),
  },
  {
    name: 'items are copied after the first await',
    clause: 'ADD-4',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        await undefined;
        await right.addItems(items, options);
      },
    }),
  },
  {
    name: 'the array is copied at once, the items after the first await',
    clause: 'ADD-4',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        const copy = [...items];
        await undefined;
        await right.addItems(copy, options);
      },
    }),
  },
  {
    name: 'items are copied when their call has its turn',
    clause: 'ADD-4',
    over: 'memory',
    session: (right) => {
      let last: Promise<void> | undefined;
      return {
        addItems: (items, options) => {
          const adding = last
            ? last.then(() => right.addItems(items, options))
            : right.addItems(items, options);
          last = adding.finally(() => {
            last = undefined;
          });
          return adding;
        },
      };
    },
  },
  {
    name: 'items are stored up to the bad one',
    clause: 'ADD-5',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        const bad = [items].flat().findIndex((item) => !isStorable(item));
        if (bad > 0) await right.addItems(items.slice(0, bad), options);
        await right.addItems(items, options);
      },
    }),
  },
  {
    name: 'items that cannot be stored are left out',
    clause: 'ADD-5',
    over: 'memory',
    session: adds((items) => items.filter(isStorable)),
  },
  {
    name: 'the index in the error counts from 1',
    clause: 'ADD-5',
    over: 'memory',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) =>
          throwLike(error, { index: error.index === undefined ? undefined : error.index + 1 }),
        ),
    }),
  },
  {
    name: 'the error does not say where in the item',
    clause: 'ADD-5',
    over: 'memory',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) => throwLike(error, { path: '' })),
    }),
  },
  {
    name: 'an item that is undefined is stored as null',
    clause: 'ADD-5',
    over: 'memory',
    session: takes((item) => (item === undefined ? null : item)),
  },
  {
    name: 'a hole is stored as null',
    clause: 'ADD-5',
    over: 'memory',
    session: adds((items) => Array.from(items, (item, at) => (at in items ? item : null))),
  },
  {
    name: 'what is not an array is taken for one item',
    clause: 'ADD-5',
    over: 'memory',
    session: (right) => ({ addItems: (items, options) => right.addItems([items].flat(), options) }),
  },
  {
    name: 'equal items of a batch are stored once',
    clause: 'ADD-6',
    over: 'memory',
    session: oncePer((item) => JSON.stringify(item)),
  },
  {
    name: 'items with the same id are stored once',
    clause: 'ADD-6',
    over: 'memory',
    session: oncePer((item) => (item as { id?: string } | null)?.id),
  },
  {
    name: 'a time is added to each item',
    clause: 'ADD-6',
    over: 'memory',
    session: takes((item) => ({ createdAt: Date.now(), ...(item as object) })),
  },
  {
    name: "the store's own fields are taken out of items",
    clause: 'ADD-6',
    over: 'memory',
    session: takes((item) => ({ ...(item as object), _id: undefined })),
  },
  {
    name: 'fields get the names of another language',
    clause: 'ADD-6',
    over: 'memory',
    session: takes(
      inside(entries((all) => all.map(([key, value]) => [key.replace('callId', 'call_id'), value]))),
    ),
  },
  {
    name: 'items without content are left out',
    clause: 'ADD-6',
    over: 'memory',
    session: adds((items) => items.filter((item) => Object.keys(Object(item)).length > 0)),
  },
  {
    name: 'an append reads the history first',
    clause: 'ADD-7',
    over: 'redis',
    store: (right) => ({
      async commit(change, call) {
        await wholeList(right, call);
        return right.commit(change, call);
      },
    }),
  },
  {
    name: 'an append writes the whole list again',
    clause: 'ADD-7',
    over: 'redis',
    store: readModifyWrite,
  },
  {
    name: 'what is too large is dropped without a word',
    clause: 'ADD-8',
    over: 'memory',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) => {
          if (error.code !== 'ITEM_TOO_LARGE') throw error;
        }),
    }),
  },
  {
    name: 'sizes are counted in characters',
    clause: 'ADD-8',
    over: 'memory',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) => {
          const isLong = items.some((item) => JSON.stringify(item).length > MAX_ITEM_BYTES);
          if (isLong) throw error;
        }),
    }),
  },
  {
    name: 'a batch that is too large is written in halves',
    clause: 'ADD-8',
    over: 'memory',
    session: (right) => ({
      async addItems(items, options): Promise<void> {
        try {
          await right.addItems(items, options);
        } catch (error) {
          if (!isSessionError(error, 'ITEM_TOO_LARGE') || items.length < 2) throw error;
          await this.addItems!(items.slice(0, items.length / 2), options);
          await this.addItems!(items.slice(items.length / 2), options);
        }
      },
    }),
  },
  {
    name: 'what is too large is an invalid argument',
    clause: 'ADD-8',
    over: 'memory',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) => throwLike(error, { code: 'INVALID_ARGUMENT' })),
    }),
  },
];
