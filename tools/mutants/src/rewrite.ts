import type { HistoryMutation } from '@sessions/core';
import { retelling } from './errors-retold.ts';
import type { Mutant, SessionMutation } from './mutant.ts';

function hasCallId(item: unknown, callId: string): boolean {
  return (Object(item) as { callId?: unknown }).callId === callId;
}

function isCall(item: unknown, callId: string): boolean {
  return hasCallId(item, callId) && (Object(item) as { type?: unknown }).type === 'function_call';
}

/** A session that reads the items, changes them here and writes them back. */
function rewrites(
  change: (items: unknown[], mutation: HistoryMutation<unknown>) => unknown[],
): SessionMutation {
  return (right) => ({
    applyHistoryMutations: async ({ mutations }) => {
      const items = await right.getItems(Number.POSITIVE_INFINITY);
      await right.replaceHistoryWithCompaction(mutations.reduce(change, items));
    },
  });
}

export const rewriteMutants: readonly Mutant[] = [
  {
    name: 'every call with the id is replaced',
    clause: 'RWR-1',
    over: 'memory',
    session: rewrites((items, { callId, replacement }) =>
      items.map((item) => (isCall(item, callId) ? replacement : item)),
    ),
  },
  {
    name: 'later duplicates stay',
    clause: 'RWR-1',
    over: 'memory',
    session: rewrites((items, { callId, replacement }) => {
      const first = items.findIndex((item) => isCall(item, callId));
      return items.map((item, at) => (at === first ? replacement : item));
    }),
  },
  {
    name: 'the last call with the id is replaced',
    clause: 'RWR-1',
    over: 'memory',
    session: rewrites((items, { callId, replacement }) => {
      const last = items.findLastIndex((item) => isCall(item, callId));
      return items
        .map((item, at) => (at === last ? replacement : item))
        .filter((item, at) => at === last || !isCall(item, callId));
    }),
  },
  {
    name: 'the replacement goes to the end',
    clause: 'RWR-1',
    over: 'memory',
    session: rewrites((items, { callId, replacement }) => {
      const others = items.filter((item) => !isCall(item, callId));
      return others.length < items.length ? [...others, replacement] : items;
    }),
  },
  {
    name: 'the output of the call goes with the duplicates',
    clause: 'RWR-1',
    over: 'memory',
    session: rewrites((items, { callId, replacement }) => {
      const first = items.findIndex((item) => isCall(item, callId));
      return items
        .map((item, at) => (at === first ? replacement : item))
        .filter((item, at) => at === first || !hasCallId(item, callId));
    }),
  },
  {
    name: 'a call with an unknown id is appended',
    clause: 'RWR-1',
    over: 'memory',
    session: (right) => ({
      applyHistoryMutations: async (args, options) => {
        const items = await right.getItems(Number.POSITIVE_INFINITY);
        await right.applyHistoryMutations(args, options);
        const unknown = args.mutations.filter(({ callId }) => !items.some((item) => isCall(item, callId)));
        await right.addItems(unknown.map(({ replacement }) => replacement));
      },
    }),
  },
  {
    name: 'only the first mutation counts',
    clause: 'RWR-1',
    over: 'memory',
    session: (right) => ({
      applyHistoryMutations: async ({ mutations }, options) =>
        right.applyHistoryMutations({ mutations: mutations.slice(0, 1) }, options),
    }),
  },
  {
    name: 'damaged records are gone after a rewrite',
    clause: 'RWR-1',
    over: 'memory',
    session: (right) => ({
      applyHistoryMutations: async (args, options) => {
        await right.applyHistoryMutations(args, options);
        await right.replaceHistoryWithCompaction(await right.getItems(Number.POSITIVE_INFINITY));
      },
    }),
  },
  {
    name: 'a rewrite does not look whether the history changed meanwhile',
    clause: 'RWR-1',
    over: 'memory',
    store: (right) => ({
      commit: (change, call) => right.commit({ ...change, ifVersion: undefined }, call),
    }),
  },
  {
    name: 'a rewrite gives up when the history changed meanwhile',
    clause: 'RWR-1',
    over: 'memory',
    store: (right) => ({
      commit: (change, call) =>
        retelling(right.commit(change, call), (error) => {
          if (error.code === 'CONFLICT') return {};
          throw error;
        }),
    }),
  },
  {
    name: 'malformed mutations are passed over',
    clause: 'RWR-1',
    over: 'memory',
    session: (right) => ({
      applyHistoryMutations: (args, options) =>
        retelling(right.applyHistoryMutations(args, options), (error) => {
          if (error.code !== 'INVALID_ARGUMENT') throw error;
        }),
    }),
  },
  {
    name: 'no rewrites are declared, but the method is there and does nothing',
    clause: 'RWR-1',
    over: 'memory',
    capabilities: { rewrites: { unsupported: 'The store only appends.' } },
    session: () => ({ applyHistoryMutations: async () => undefined }),
  },
];
