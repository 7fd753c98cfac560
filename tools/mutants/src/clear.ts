import { posix } from 'node:path';
import type { SessionRequest } from '@sessions/conformance';
import { SessionError } from '@sessions/core';
import { type HistoryStore, isPop, type StoreCall } from '@sessions/core/store';
import type { Mutant, SessionMutation } from './mutant.ts';
import { replacing } from './mutate-redis.ts';
import { sharedByInstances } from './shared-by-instances.ts';
import { newest, wholeList } from './whole-list.ts';

/** In the list, in the place of an item that was popped. */
const POPPED = '"popped"';

/** In the list, after all that was cleared. */
const CLEARED = '"cleared"';

async function withoutPopped(store: HistoryStore, call: StoreCall): Promise<string[]> {
  const left: string[] = [];
  for (const record of await wholeList(store, call)) {
    if (record === POPPED) left.pop();
    else left.push(record);
  }
  return left;
}

/** A clear that takes other sessions with it. */
function clearsAll(isMeant: (other: string, sessionId: string) => boolean): SessionMutation {
  const built: SessionRequest[] = [];
  return (right, { request, again }) => {
    built.push(request);
    return {
      clearSession: async (options) => {
        await right.clearSession(options);
        const { namespace, sessionId } = request;
        for (const other of built) {
          const isOther = other.namespace === namespace && other.sessionId !== sessionId;
          if (isOther && isMeant(other.sessionId, sessionId)) await again(other).clearSession();
        }
      },
    };
  };
}

/** How many pops of a session are under way. */
const poppingOf = sharedByInstances(() => ({ count: 0 }));

export const clearMutants: readonly Mutant[] = [
  {
    name: 'a clear removes one page of 500',
    clause: 'CLR-1',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (!change.clear) return right.commit(change, call);
        const add = (await wholeList(right, call)).slice(500);
        return add.length === 0
          ? right.commit(change, call)
          : right.commit({ ...change, clear: undefined, drop: 'all', add }, call);
      },
    }),
  },
  {
    name: 'a cleared session cannot be used again',
    clause: 'CLR-1',
    over: 'memory',
    session: (right) => ({
      clearSession: async (options) => {
        await right.clearSession(options);
        await right.close();
      },
    }),
  },
  {
    name: 'a clear is done soon afterwards',
    clause: 'CLR-1',
    over: 'memory',
    session: (right) => ({
      clearSession: async (options) =>
        void setTimeout(() => right.clearSession(options).catch(() => undefined), 1),
    }),
  },
  {
    name: 'a clear hides what was there for as long as a mark of its own lives',
    clause: 'CLR-1',
    over: 'redis',
    session: (right, { request, again }) => {
      const mark = again({ sessionId: `${request.sessionId}:mark`, ttlSeconds: 1_000 });
      const visible = async () => {
        const [hidden = 0] = (await mark.getItems(1)) as number[];
        return (await right.getItems()).slice(hidden);
      };
      return {
        getItems: visible,
        popItem: async (options) => ((await visible()).length > 0 ? right.popItem(options) : undefined),
        clearSession: async () => mark.addItems([(await right.getItems()).length]),
      };
    },
  },
  {
    name: 'a clear takes every session whose id begins alike',
    clause: 'CLR-2',
    over: 'memory',
    session: clearsAll((other, sessionId) => other.startsWith(sessionId)),
  },
  {
    name: 'the id is a pattern for what is cleared',
    clause: 'CLR-2',
    over: 'memory',
    session: clearsAll((other, sessionId) => posix.matchesGlob(other, sessionId)),
  },
  {
    name: 'a clear takes the whole prefix',
    clause: 'CLR-2',
    over: 'memory',
    session: clearsAll(() => true),
  },
  {
    name: 'a clear hides what was there before',
    clause: 'CLR-3',
    over: 'memory',
    store: (right) => ({
      async read({ limit }, call) {
        const records = await wholeList(right, call);
        return { records: newest(records.slice(records.lastIndexOf(CLEARED) + 1), limit) };
      },
      commit(change, call) {
        return change.clear
          ? right.commit({ ...change, clear: undefined, drop: 0, add: [CLEARED] }, call)
          : right.commit(change, call);
      },
    }),
  },
  {
    name: 'a pop hides its item',
    clause: 'CLR-3',
    over: 'memory',
    store: (right) => ({
      async read({ limit }, call) {
        return { records: newest(await withoutPopped(right, call), limit) };
      },
      async commit(change, call) {
        if (!isPop(change)) return right.commit(change, call);
        const popped = (await withoutPopped(right, call)).at(-1);
        if (popped !== undefined) await right.commit({ ...change, drop: 0, add: [POPPED] }, call);
        return { popped };
      },
    }),
  },
  {
    name: 'a pop hides its item where the history is long',
    clause: 'CLR-3',
    over: 'memory',
    store: (right) => ({
      async read({ limit }, call) {
        return { records: newest(await withoutPopped(right, call), limit) };
      },
      async commit(change, call) {
        const left = isPop(change) ? await withoutPopped(right, call) : [];
        if (left.length < 100) return right.commit(change, call);
        await right.commit({ ...change, drop: 0, add: [POPPED] }, call);
        return { popped: left.at(-1) };
      },
    }),
  },
  {
    name: 'a popped item is kept in case that its reply is lost',
    clause: 'CLR-3',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { popped } = await right.commit(change, call);
        if (popped !== undefined) {
          const operation = { id: change.id, digest: popped };
          await right.commit({ id: crypto.randomUUID(), drop: 0, add: [], operation }, call);
        }
        return { popped };
      },
    }),
  },
  {
    name: 'what a pop removed is kept as it was in case that its reply is lost',
    clause: 'CLR-3',
    over: 'redis',
    script: (lua) => replacing('veil(record)', 'record')(replacing('veil(again)', 'again')(lua)),
  },
  {
    name: 'a pop writes its item down elsewhere until it is done',
    clause: 'CLR-3',
    over: 'redis',
    session: (right, { request, again }) => ({
      popItem: async (options) => {
        const journal = again({ sessionId: `${request.sessionId}:journal` });
        await journal.addItems(await right.getItems(1));
        const popped = await right.popItem(options);
        await journal.clearSession();
        return popped;
      },
    }),
  },
  {
    name: 'of two pops at the same time one leaves its item behind',
    clause: 'CLR-3',
    over: 'memory',
    session: (right, { request, again }) => ({
      popItem: async (options) => {
        const popping = poppingOf(request);
        popping.count++;
        const popped = await right.popItem(options);
        popping.count--;
        if (popped !== undefined && popping.count > 0)
          await again({ sessionId: `${request.sessionId}:left` }).addItems([popped]);
        return popped;
      },
    }),
  },
  {
    name: 'a compaction keeps the old history under another id',
    clause: 'CLR-3',
    over: 'memory',
    session: (right, { request, again }) => ({
      replaceHistoryWithCompaction: async (items, options) => {
        const archive = again({ sessionId: `${request.sessionId}:archive` });
        await archive.addItems(await right.getItems(Number.POSITIVE_INFINITY));
        await right.replaceHistoryWithCompaction(items, options);
      },
    }),
  },
  {
    name: 'a replaced suffix is kept with its operation',
    clause: 'CLR-3',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { operation, drop } = change;
        if (!operation || typeof drop !== 'number' || drop === 0) return right.commit(change, call);
        const digest = newest(await wholeList(right, call), drop).join();
        return right.commit({ ...change, operation: { ...operation, digest } }, call);
      },
    }),
  },
  {
    name: 'clearing an unknown session fails',
    clause: 'CLR-4',
    over: 'memory',
    session: (right) => ({
      clearSession: async (options) => {
        if ((await right.getItems(1)).length === 0) throw new SessionError('INVALID_SESSION_ID');
        await right.clearSession(options);
      },
    }),
  },
  {
    name: 'a session cannot be cleared twice',
    clause: 'CLR-4',
    over: 'memory',
    session: (right) => {
      let isCleared = false;
      return {
        clearSession: async (options) => {
          if (isCleared) throw new SessionError('CONFLICT');
          isCleared = true;
          await right.clearSession(options);
        },
      };
    },
  },
];
