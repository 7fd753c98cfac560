import { SessionError } from '@sessions/core';
import { retelling, throwLike } from './errors-retold.ts';
import type { Mutant } from './mutant.ts';

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

export const lifeCycleMutants: readonly Mutant[] = [
  {
    name: 'a close ends the client that was handed in',
    clause: 'LIFE-1',
    over: 'redis',
    session: (right, { connection }) => ({
      close: async () => {
        await right.close();
        await connection?.close();
      },
    }),
  },
  {
    name: 'a close leaves its own client open',
    clause: 'LIFE-1',
    over: 'redis',
    session: (right, { connection }) => ({
      close: async () => {
        if (connection) await right.close();
      },
    }),
  },
  {
    name: 'disposing of a session does not close it',
    clause: 'LIFE-1',
    over: 'redis',
    session: () => ({ [Symbol.asyncDispose]: async () => undefined }),
  },
  {
    name: 'a second close fails',
    clause: 'LIFE-1',
    over: 'memory',
    session: (right) => {
      let isClosed = false;
      return {
        close: async () => {
          if (isClosed) throw new SessionError('CLOSED');
          isClosed = true;
          await right.close();
        },
      };
    },
  },
  {
    name: 'a closed session still tells its id',
    clause: 'LIFE-2',
    over: 'memory',
    session: (_, { request }) => ({ getSessionId: async () => request.sessionId }),
  },
  {
    name: 'a closed session still reads nothing',
    clause: 'LIFE-2',
    over: 'memory',
    session: (right) => ({
      getItems: async (limit, options) => (limit === 0 ? [] : right.getItems(limit, options)),
    }),
  },
  {
    name: 'a closed session still adds nothing',
    clause: 'LIFE-2',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        if (items.length > 0) await right.addItems(items, options);
      },
    }),
  },
  {
    name: 'a closed session still rewrites nothing',
    clause: 'LIFE-2',
    over: 'memory',
    session: (right) => ({
      applyHistoryMutations: async (args, options) => {
        if (args.mutations.length > 0) await right.applyHistoryMutations(args, options);
      },
    }),
  },
  {
    name: 'a closed session goes on, since the client is not its own',
    clause: 'LIFE-2',
    over: 'memory',
    session: () => ({ close: async () => undefined }),
  },
  {
    name: 'a closed session is an unavailable one',
    clause: 'LIFE-2',
    over: 'memory',
    session: (right) => ({
      popItem: (options) =>
        retelling(right.popItem(options), (error) => throwLike(error, { code: 'UNAVAILABLE' })),
    }),
  },
  {
    name: 'a closed session throws instead of rejecting',
    clause: 'LIFE-2',
    over: 'memory',
    session: (right) => {
      let isClosed = false;
      return {
        close: () => {
          isClosed = true;
          return right.close();
        },
        clearSession: (options) => {
          if (isClosed) throw new SessionError('CLOSED');
          return right.clearSession(options);
        },
      };
    },
  },
  {
    name: 'a close lets the calls that wait have their turn',
    clause: 'LIFE-2',
    over: 'redis',
    session: (right) => {
      const calls = new Set<Promise<unknown>>();
      const counted = <T>(call: Promise<T>): Promise<T> => {
        calls.add(call);
        call.catch(() => undefined).finally(() => calls.delete(call));
        return call;
      };
      return {
        getItems: (limit, options) => counted(right.getItems(limit, options)),
        addItems: (items, options) => counted(right.addItems(items, options)),
        popItem: (options) => counted(right.popItem(options)),
        close: async () => {
          await Promise.allSettled(calls);
          await right.close();
        },
      };
    },
  },
  {
    name: 'a close waits for a read that is under way',
    clause: 'LIFE-2',
    over: 'redis',
    session: (right) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        getItems: (limit, options) => {
          const reading = right.getItems(limit, options);
          last = reading.catch(() => undefined);
          return reading;
        },
        close: async () => {
          await last;
          await right.close();
        },
      };
    },
  },
  {
    name: 'a set-up that failed is never tried again',
    clause: 'LIFE-3',
    over: 'redis',
    session: (() => {
      const setUps = new WeakMap<object, Promise<unknown>>();
      return (right, { connection = right }) => ({
        addItems: async (items, options) => {
          const setUp = setUps.get(connection) ?? right.getItems(1);
          setUps.set(connection, setUp);
          await setUp;
          await right.addItems(items, options);
        },
      });
    })(),
  },
  {
    name: 'who comes while it is being set up is refused',
    clause: 'LIFE-3',
    over: 'redis',
    session: (() => {
      const underWay = new WeakSet<object>();
      return (right, { connection = right }) => ({
        addItems: async (items, options) => {
          if (underWay.has(connection)) throw new SessionError('UNAVAILABLE');
          underWay.add(connection);
          try {
            await right.getItems(1);
          } finally {
            underWay.delete(connection);
          }
          await right.addItems(items, options);
        },
      });
    })(),
  },
  {
    name: 'signals are ignored',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({
      getItems: (limit) => right.getItems(limit),
      addItems: (items) => right.addItems(items),
      popItem: () => right.popItem(),
      clearSession: () => right.clearSession(),
    }),
  },
  {
    name: 'a pop ignores its signal',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({ popItem: () => right.popItem() }),
  },
  {
    name: 'a clear ignores its signal',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({ clearSession: () => right.clearSession() }),
  },
  {
    name: 'a transaction ignores its signal',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({ applyHistoryTransaction: (args) => right.applyHistoryTransaction(args) }),
  },
  {
    name: 'a rewrite ignores its signal',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({ applyHistoryMutations: (args) => right.applyHistoryMutations(args) }),
  },
  {
    name: 'a compaction ignores its signal',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({
      replaceHistoryWithCompaction: (items) => right.replaceHistoryWithCompaction(items),
    }),
  },
  {
    name: 'a signal that fired before the call is seen after it',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        await right.addItems(items);
        options?.signal?.throwIfAborted();
      },
    }),
  },
  {
    name: 'a signal is looked at before the call only',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        options?.signal?.throwIfAborted();
        await right.addItems(items);
      },
    }),
  },
  {
    name: 'a cancelled call fails with an error of its own',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({
      getItems: async (limit, options) => {
        if (options?.signal?.aborted) throw new DOMException('The call was cancelled', 'AbortError');
        return right.getItems(limit, options);
      },
    }),
  },
  {
    name: 'a cancelled write is left before it has settled',
    clause: 'LIFE-4',
    over: 'redis',
    session: (right) => ({
      addItems: async (items, options) => {
        const adding = right.addItems(items, options);
        adding.catch(() => undefined);
        await (options?.signal ? Promise.race([adding, aborted(options.signal)]) : adding);
      },
    }),
  },
  {
    name: 'a cancelled write stops after the batch that it is at',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => ({
      addItems: async (items, options) => {
        for (let at = 0; at < items.length; at += 100) {
          options?.signal?.throwIfAborted();
          await right.addItems(items.slice(at, at + 100));
        }
      },
    }),
  },
  {
    name: "that the time is up wins over the signal's reason",
    clause: 'LIFE-4',
    over: 'redis',
    session: (right, { request: { timeoutMs = Number.POSITIVE_INFINITY } }) => ({
      addItems: async (items, options) => {
        const started = performance.now();
        try {
          await right.addItems(items, options);
        } catch (error) {
          throw performance.now() - started < timeoutMs ? error : new SessionError('OUTCOME_UNKNOWN');
        }
      },
    }),
  },
  {
    name: 'a signal that fires later stays in the way of what comes after',
    clause: 'LIFE-4',
    over: 'memory',
    session: (right) => {
      const signals = new Set<AbortSignal>();
      return {
        getItems: async (limit, options) => {
          for (const signal of signals) signal.throwIfAborted();
          if (options?.signal) signals.add(options.signal);
          return right.getItems(limit, options);
        },
      };
    },
  },
];
