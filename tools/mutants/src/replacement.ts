import { encodeItems } from '@sessions/core/store';
import { retelling } from './errors-retold.ts';
import type { Mutant, StoreMutation } from './mutant.ts';
import { turn } from './turn.ts';
import { inPieces, newest, wholeList } from './whole-list.ts';

/** A compaction that is done in other steps than one. */
function replaces(
  steps: (
    right: Parameters<StoreMutation>[0],
    ...args: Parameters<ReturnType<StoreMutation>['commit'] & {}>
  ) => ReturnType<ReturnType<StoreMutation>['commit'] & {}>,
): StoreMutation {
  return (right) => ({
    commit(change, call) {
      const isReplacement = change.drop === 'all' && !change.clear;
      return isReplacement ? steps(right, change, call) : right.commit(change, call);
    },
  });
}

export const replacementMutants: readonly Mutant[] = [
  {
    name: 'a compaction is appended',
    clause: 'RPL-1',
    over: 'memory',
    store: replaces((right, change, call) => right.commit({ ...change, drop: 0 }, call)),
  },
  {
    name: 'a compaction empties the history first and then writes',
    clause: 'RPL-1',
    over: 'memory',
    store: replaces(async (right, change, call) => {
      await right.commit({ ...change, id: `${change.id}/empty`, add: [] }, call);
      return right.commit({ ...change, drop: 0 }, call);
    }),
  },
  {
    name: 'a compaction empties the history first and then writes, over a wire',
    clause: 'RPL-1',
    over: 'redis',
    store: replaces(async (right, change, call) => {
      await right.commit({ ...change, id: `${change.id}/empty`, add: [] }, call);
      return right.commit({ ...change, drop: 0 }, call);
    }),
  },
  {
    name: 'a compaction writes first and then removes the old history',
    clause: 'RPL-1',
    over: 'memory',
    store: replaces(async (right, change, call) => {
      await right.commit({ ...change, id: `${change.id}/add`, drop: 0 }, call);
      return right.commit(change, call);
    }),
  },
  {
    name: 'a compaction is written in pieces',
    clause: 'RPL-1',
    over: 'memory',
    store: inPieces(100),
  },
  {
    // Appended between the two: it is removed in the place of an old record, which stays.
    name: 'a compaction removes as many records as it counted before',
    clause: 'RPL-1',
    over: 'memory',
    store: replaces(async (right, change, call) => {
      const { length } = await wholeList(right, call);
      await turn();
      return right.commit({ ...change, drop: length }, call);
    }),
  },
  {
    name: 'a compaction keeps what it had not read',
    clause: 'RPL-1',
    over: 'memory',
    store: replaces(async (right, change, call) => {
      const before = await wholeList(right, call);
      await turn();
      const after = await wholeList(right, call);
      return right.commit({ ...change, add: [...after.slice(before.length), ...change.add] }, call);
    }),
  },
  {
    name: 'a compaction is written twice, and takes what was added in between',
    clause: 'RPL-1',
    over: 'memory',
    store: replaces(async (right, change, call) => {
      await right.commit({ ...change, id: `${change.id}/first` }, call);
      await turn();
      return right.commit(change, call);
    }),
  },
  {
    name: 'a compaction to nothing does nothing',
    clause: 'RPL-1',
    over: 'memory',
    store: replaces(async (right, change, call) => (change.add.length > 0 ? right.commit(change, call) : {})),
  },
  {
    name: 'a compaction leaves out what cannot be stored',
    clause: 'RPL-1',
    over: 'memory',
    session: (right) => ({
      replaceHistoryWithCompaction: (items, options) =>
        retelling(right.replaceHistoryWithCompaction(items, options), async (error) => {
          if (error.code !== 'INVALID_ITEM') throw error;
          const good = items.filter((item) => {
            try {
              return encodeItems([item]).length > 0;
            } catch {
              return false;
            }
          });
          await right.replaceHistoryWithCompaction(good, options);
          throw error;
        }),
    }),
  },
  {
    name: 'a compaction keeps the newest item',
    clause: 'RPL-1',
    over: 'memory',
    store: replaces(async (right, change, call) => {
      const kept = newest(await wholeList(right, call), 1);
      return right.commit({ ...change, add: [...change.add, ...kept] }, call);
    }),
  },
  {
    name: 'a history is read in two pages, between which it may be replaced',
    clause: 'RPL-1',
    over: 'memory',
    store: (right) => ({
      async read({ limit }, call) {
        const first = (await wholeList(right, call)).slice(0, 100);
        await turn();
        const rest = (await wholeList(right, call)).slice(100);
        return { records: newest([...first, ...rest], limit) };
      },
    }),
  },
  {
    name: 'no replacement is declared, but the method is there and fails',
    clause: 'RPL-1',
    over: 'memory',
    capabilities: { replacement: { unsupported: 'The store only appends.' } },
    session: () => ({
      replaceHistoryWithCompaction: async () => {
        throw new Error('not supported');
      },
    }),
  },
];
