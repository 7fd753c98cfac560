import { isSessionError, SessionError } from '@sessions/core';
import { isPop } from '@sessions/core/store';
import { retelling, throwLike } from './errors-retold.ts';
import type { Mutant } from './mutant.ts';
import { replacing } from './mutate-redis.ts';
import { inPieces } from './whole-list.ts';

export const faultMutants: readonly Mutant[] = [
  {
    name: 'a change that the driver sends again is made again',
    clause: 'FLT-1',
    over: 'redis',
    script: replacing("'PX', kept, 'NX'", "'PX', kept"),
  },
  {
    name: 'a change is known for a millisecond',
    clause: 'FLT-1',
    over: 'redis',
    script: replacing("'PX', kept, 'NX'", "'PX', 1, 'NX'"),
  },
  {
    name: 'what a pop removed is kept for a millisecond',
    clause: 'FLT-1',
    over: 'redis',
    script: replacing("'PX', options.patienceMs", "'PX', 1"),
  },
  {
    name: 'each try of a change has an id of its own',
    clause: 'FLT-1',
    over: 'redis',
    resends: false,
    store: (right) => ({
      commit: (change, call) => right.commit({ ...change, id: crypto.randomUUID() }, call),
    }),
  },
  {
    name: 'each try of a pop has an id of its own',
    clause: 'FLT-1',
    over: 'redis',
    resends: false,
    store: (right) => ({
      commit: (change, call) =>
        right.commit(isPop(change) ? { ...change, id: crypto.randomUUID() } : change, call),
    }),
  },
  {
    name: 'a pop that is tried again finds nothing',
    clause: 'FLT-1',
    over: 'redis',
    resends: false,
    store: (right) => {
      const tried = new Set<string>();
      return {
        async commit(change, call) {
          const isAgain = tried.has(change.id);
          tried.add(change.id);
          const commit = await right.commit(change, call);
          return isAgain ? {} : commit;
        },
      };
    },
  },
  {
    name: 'a write without an answer counts as done',
    clause: 'FLT-1',
    over: 'redis',
    resends: false,
    store: (right) => ({
      commit: (change, call) =>
        retelling(right.commit(change, call), (error) => {
          if (error.code === 'OUTCOME_UNKNOWN') return {};
          throw error;
        }),
    }),
  },
  {
    name: 'a write without an answer is not tried again',
    clause: 'FLT-1',
    over: 'redis',
    resends: false,
    store: (right) => ({
      commit: (change, call) =>
        retelling(right.commit(change, call), (error) =>
          throwLike(error, error.code === 'OUTCOME_UNKNOWN' ? { code: 'INCOMPATIBLE_STORE' } : {}),
        ),
    }),
  },
  {
    name: 'a write without an answer is reported as not done',
    clause: 'FLT-1',
    over: 'redis',
    resends: false,
    store: (right) => ({
      commit: (change, call) =>
        retelling(right.commit(change, call), (error) =>
          throwLike(error, error.code === 'OUTCOME_UNKNOWN' ? { code: 'UNAVAILABLE' } : {}),
        ),
    }),
  },
  {
    name: 'an append whose answer is lost is appended again if it is not the newest',
    clause: 'FLT-1',
    over: 'redis',
    resends: false,
    store: (right) => {
      const tried = new Set<string>();
      return {
        async commit(change, call) {
          const isAgain = tried.has(change.id) && change.add.length > 0;
          tried.add(change.id);
          if (!isAgain) return right.commit(change, call);
          const { records } = await right.read({ limit: change.add.length, versioned: false }, call);
          if (records.join('\n') === change.add.join('\n')) return {};
          return right.commit({ ...change, id: crypto.randomUUID() }, call);
        },
      };
    },
  },
  {
    // Long beyond what was asked for, yet soon enough for the kit to end its sessions.
    name: 'the limit of time is a fixed one',
    clause: 'FLT-2',
    over: 'redis',
    request: (request) => ({ ...request, timeoutMs: 8_000 }),
  },
  {
    name: 'a read of a store that is down finds nothing',
    clause: 'FLT-2',
    over: 'redis',
    session: (right) => ({
      getItems: (limit, options) => retelling(right.getItems(limit, options), () => []),
    }),
  },
  {
    name: 'a read does not know how it ended',
    clause: 'FLT-2',
    over: 'redis',
    session: (right) => ({
      getItems: (limit, options) =>
        retelling(right.getItems(limit, options), (error) => throwLike(error, { code: 'OUTCOME_UNKNOWN' })),
    }),
  },
  {
    name: 'a write that hangs is reported as not done, and done later',
    clause: 'FLT-2',
    over: 'redis',
    session: (right) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) => throwLike(error, { code: 'UNAVAILABLE' })),
    }),
  },
  {
    name: 'what was reported as not done is queued, and done when the store is back',
    clause: 'FLT-2',
    over: 'redis',
    session: (right, { again }) => ({
      addItems: (items, options) =>
        retelling(right.addItems(items, options), (error) => {
          again({ timeoutMs: 10_000 })
            .addItems(items)
            .catch(() => undefined);
          throw error;
        }),
    }),
  },
  {
    name: 'a batch is sent in pieces of 25, one after another',
    clause: 'FLT-3',
    over: 'redis',
    store: inPieces(25),
  },
  {
    name: 'a batch is sent in pieces of 25, all at once',
    clause: 'FLT-3',
    over: 'redis',
    store: (right) => ({
      async commit(change, call) {
        const pieces: Promise<unknown>[] = [];
        for (let at = 0; at < change.add.length; at += 25) {
          const add = change.add.slice(at, at + 25);
          pieces.push(right.commit({ ...change, id: `${change.id}/${at}`, add }, call));
        }
        if (pieces.length === 0) return right.commit(change, call);
        await Promise.all(pieces);
        return {};
      },
    }),
  },
  {
    name: 'a writer that was killed leaves its lock',
    clause: 'FLT-3',
    over: 'redis',
    session: (right, { request, again }) => {
      const lock = again({ sessionId: `${request.sessionId}:lock` });
      return {
        addItems: async (items, options) => {
          if ((await lock.getItems(1)).length > 0) throw new SessionError('UNAVAILABLE');
          await lock.addItems(['taken']);
          await right.addItems(items, options);
          await lock.clearSession();
        },
      };
    },
  },
  {
    name: 'an instance that lost its connection once is of no use any more',
    clause: 'FLT-4',
    over: 'redis',
    resends: false,
    store: (right) => {
      let isBroken = false;
      return {
        async commit(change, call) {
          if (isBroken) throw new SessionError('INCOMPATIBLE_STORE');
          try {
            return await right.commit(change, call);
          } catch (error) {
            isBroken = isSessionError(error, 'OUTCOME_UNKNOWN') || isSessionError(error, 'UNAVAILABLE');
            throw error;
          }
        },
      };
    },
  },
];
