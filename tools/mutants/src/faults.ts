import { setTimeout as sleep } from 'node:timers/promises';
import { isSessionError, SessionError, type SessionErrorCode } from '@sessions/core';
import { type HistoryChange, type HistoryCommit, isPop } from '@sessions/core/store';
import { retelling, throwLike } from './errors-retold.ts';
import type { Mutant, StoreMutation } from './mutant.ts';
import { replacing } from './mutate-redis.ts';
import { inPieces } from './whole-list.ts';

/** A store whose commits fail with another error than their own, or not at all. */
function commits(retell: (error: SessionError) => HistoryCommit): StoreMutation {
  return (right) => ({ commit: (change, call) => retelling(right.commit(change, call), retell) });
}

/** A store that calls an unknown outcome something else. */
function callsUnknown(code: SessionErrorCode): StoreMutation {
  return commits((error) => throwLike(error, error.code === 'OUTCOME_UNKNOWN' ? { code } : {}));
}

/** A store that gives each try of a change an id of its own. */
function newIds(isMeant: (change: HistoryChange) => boolean): StoreMutation {
  return (right) => ({
    commit: (change, call) =>
      right.commit(isMeant(change) ? { ...change, id: crypto.randomUUID() } : change, call),
  });
}

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
    script: replacing("'PX', patience", "'PX', 1"),
  },
  {
    name: 'each try of a change has an id of its own',
    clause: 'FLT-1',
    over: 'redis',
    store: newIds(() => true),
  },
  {
    name: 'each try of a pop has an id of its own',
    clause: 'FLT-1',
    over: 'redis',
    store: newIds(isPop),
  },
  {
    name: 'a pop that is tried again finds nothing',
    clause: 'FLT-1',
    over: 'redis',
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
    store: commits((error) => {
      if (error.code === 'OUTCOME_UNKNOWN') return {};
      throw error;
    }),
  },
  {
    name: 'a write without an answer is not tried again',
    clause: 'FLT-1',
    over: 'redis',
    store: callsUnknown('INCOMPATIBLE_STORE'),
  },
  {
    name: 'a write without an answer is reported as not done',
    clause: 'FLT-1',
    over: 'redis',
    store: callsUnknown('UNAVAILABLE'),
  },
  {
    name: 'an append whose answer is lost is appended again if it is not the newest',
    clause: 'FLT-1',
    over: 'redis',
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
  // Redis takes a request whole or refuses it, so that nothing here has to do with requests that are taken in part.
  {
    name: 'a write that is refused for a while fails',
    clause: 'FLT-5',
    over: 'redis',
    store: commits((error) => throwLike(error, { retryable: false })),
  },
  {
    name: 'a write that is refused is tried again without a pause',
    clause: 'FLT-5',
    over: 'redis',
    store: (right) => ({
      async commit(change, call) {
        for (;;) {
          try {
            return await right.commit(change, call);
          } catch (error) {
            if (!isSessionError(error, 'UNAVAILABLE') || call.signal.aborted) throw error;
          }
        }
      },
    }),
  },
  {
    name: 'a write that is refused is tried again for ever',
    clause: 'FLT-5',
    over: 'redis',
    session: (right) => ({
      addItems: async (items, options) => {
        for (;;) {
          try {
            return await right.addItems(items, options);
          } catch (error) {
            if (!isSessionError(error, 'UNAVAILABLE')) throw error;
          }
        }
      },
    }),
  },
  {
    name: 'a write that is refused lets those behind it go first',
    clause: 'FLT-5',
    over: 'redis',
    session: (_, { again }) => {
      const impatient = again({ timeoutMs: 50 });
      let refused = 0;
      return {
        addItems: async (items, options) => {
          let pauseMs: number | undefined;
          for (;;) {
            try {
              return await impatient.addItems(items, options);
            } catch (error) {
              if (!isSessionError(error, 'UNAVAILABLE')) throw error;
              refused++;
              pauseMs ??= 400 / refused;
              await sleep(pauseMs);
            }
          }
        },
        close: () => impatient.close(),
      };
    },
  },
];
