import { SessionError } from '@sessions/core';
import type { Mutant, SessionMutation } from './mutant.ts';
import { replacing } from './mutate-redis.ts';
import { isDamaged, newest, wholeList } from './whole-list.ts';

/** A session that asks for another limit than it was given. */
function limited(change: (limit: number | undefined) => number | undefined): SessionMutation {
  return (right) => ({ getItems: (limit, options) => right.getItems(change(limit), options) });
}

/** A session that returns something else than it read. */
function reads(change: (items: unknown[], limit: number | undefined) => unknown[]): SessionMutation {
  return (right) => ({
    getItems: async (limit, options) => change(await right.getItems(limit, options), limit),
  });
}

export const getMutants: readonly Mutant[] = [
  {
    name: 'a session without an end ends after a quarter of an hour',
    clause: 'GET-2',
    over: 'redis',
    script: replacing(
      "redis.call('RPUSH', items, unpack(ARGV, FIRST))\n  if ttl ~= '' then",
      "redis.call('RPUSH', items, unpack(ARGV, FIRST))\n  if ttl == '' then redis.call('PEXPIRE', items, kept) else",
    ),
  },
  {
    name: 'reading creates the session',
    clause: 'GET-1',
    over: 'memory',
    store: (right) => ({
      async read(query, call) {
        const operation = { id: 'created', digest: '' };
        await right.commit({ id: crypto.randomUUID(), drop: 0, add: [], operation }, call);
        return right.read(query, call);
      },
    }),
  },
  {
    name: 'a session never written to reads as nothing at all',
    clause: 'GET-1',
    over: 'memory',
    session: reads((items) => (items.length > 0 ? items : (undefined as unknown as unknown[]))),
  },
  {
    name: 'a session never written to is an error',
    clause: 'GET-1',
    over: 'memory',
    session: reads((items) => {
      if (items.length === 0) throw new SessionError('INVALID_SESSION_ID');
      return items;
    }),
  },
  {
    name: 'newest first',
    clause: 'GET-2',
    over: 'memory',
    session: reads((items) => items.reverse()),
  },
  {
    name: 'all is what fits on the first page of 25',
    clause: 'GET-2',
    over: 'memory',
    session: reads((items, limit) => (limit === undefined ? items.slice(0, 25) : items)),
  },
  {
    name: 'all is what fits on the first page of 1,000',
    clause: 'GET-2',
    over: 'memory',
    session: reads((items, limit) => (limit === undefined ? items.slice(0, 1_000) : items)),
  },
  {
    name: 'an instance reads what it wrote itself',
    clause: 'GET-2',
    over: 'memory',
    session: (right) => {
      let written = 0;
      return {
        addItems: async (items, options) => {
          await right.addItems(items, options);
          written += items.length;
        },
        getItems: (limit = Number.POSITIVE_INFINITY, options) =>
          right.getItems(Math.min(limit, written), options),
      };
    },
  },
  {
    name: 'the oldest N',
    clause: 'GET-3',
    over: 'memory',
    session: (right) => ({
      getItems: async (limit, options) => (await right.getItems(undefined, options)).slice(0, limit),
    }),
  },
  {
    name: 'the newest N, newest first',
    clause: 'GET-3',
    over: 'memory',
    session: reads((items, limit) => (limit === undefined ? items : items.reverse())),
  },
  {
    name: 'a limit of which the lower 32 bits count',
    clause: 'GET-3',
    over: 'memory',
    session: limited((limit) => limit && limit | 0),
  },
  {
    name: 'a limit is capped at 100',
    clause: 'GET-3',
    over: 'memory',
    session: limited((limit) =>
      limit !== undefined && Number.isInteger(limit) ? Math.min(limit, 100) : limit,
    ),
  },
  {
    name: 'a limit of 0 is all',
    clause: 'GET-4',
    over: 'memory',
    session: limited((limit) => limit || undefined),
  },
  {
    name: 'a limit below 0 leaves so many out',
    clause: 'GET-4',
    over: 'memory',
    session: (right) => ({
      getItems: async (limit = 0, options) =>
        limit < 0 ? (await right.getItems(undefined, options)).slice(-limit) : right.getItems(limit, options),
    }),
  },
  {
    name: 'a limit of 0 asks the store',
    clause: 'GET-4',
    over: 'redis',
    session: (right) => ({
      getItems: async (limit, options) => {
        const items = await right.getItems(Math.max(1, limit ?? Number.POSITIVE_INFINITY), options);
        return limit !== undefined && limit <= 0 ? [] : items;
      },
    }),
  },
  {
    name: 'NaN is all',
    clause: 'GET-5',
    over: 'memory',
    session: limited((limit) => (Number.isNaN(limit) ? undefined : limit)),
  },
  {
    name: 'a fraction is rounded',
    clause: 'GET-5',
    over: 'memory',
    session: limited((limit) => (typeof limit === 'number' ? Math.round(limit) : limit)),
  },
  {
    name: 'a text of digits is a limit',
    clause: 'GET-5',
    over: 'memory',
    session: limited((limit) => (typeof limit === 'string' ? Number(limit) : limit)),
  },
  {
    name: 'null is all',
    clause: 'GET-5',
    over: 'memory',
    session: limited((limit) => limit ?? undefined),
  },
  {
    name: 'Infinity is refused',
    clause: 'GET-5',
    over: 'memory',
    session: limited((limit) => (limit === Number.POSITIVE_INFINITY ? Number.NaN : limit)),
  },
  {
    name: 'the default limit wins over the explicit one',
    clause: 'GET-6',
    over: 'memory',
    session: (right, { request }) => ({
      getItems: (limit, options) => right.getItems(request.sessionSettings?.limit ?? limit, options),
    }),
  },
  {
    name: 'there is no default limit',
    clause: 'GET-6',
    over: 'memory',
    request: ({ sessionSettings: _, ...request }) => request,
  },
  {
    name: 'a default limit of 0 is none',
    clause: 'GET-6',
    over: 'memory',
    request: (request) => ({
      ...request,
      sessionSettings: { limit: request.sessionSettings?.limit || undefined },
    }),
  },
  {
    name: 'Infinity leaves the limit to the default',
    clause: 'GET-6',
    over: 'memory',
    session: limited((limit) => (limit === Number.POSITIVE_INFINITY ? undefined : limit)),
  },
  {
    name: 'an explicit limit cannot go beyond the default',
    clause: 'GET-6',
    over: 'memory',
    session: (right, { request: { sessionSettings } }) => ({
      getItems: (limit, options) =>
        right.getItems(limit && Math.min(limit, sessionSettings?.limit ?? limit), options),
    }),
  },
  {
    // The session thinks that there was no more to read.
    name: 'a limit is counted before damaged records are skipped',
    clause: 'GET-7',
    over: 'memory',
    store: (right) => ({
      async read(query, call) {
        const { records, version } = await right.read(query, call);
        return { records: records.filter((record) => !isDamaged(record)), version };
      },
    }),
  },
  {
    name: 'a damaged record is read as null',
    clause: 'GET-7',
    over: 'memory',
    store: (right) => ({
      async read(query, call) {
        const { records, version } = await right.read(query, call);
        return { records: records.map((record) => (isDamaged(record) ? 'null' : record)), version };
      },
    }),
  },
  {
    name: 'reading stops at the newest damaged record',
    clause: 'GET-7',
    over: 'memory',
    store: (right) => ({
      async read({ limit }, call) {
        const records = await wholeList(right, call);
        return { records: newest(records.slice(records.findLastIndex(isDamaged) + 1), limit) };
      },
    }),
  },
  {
    name: 'a damaged record makes the read fail',
    clause: 'GET-7',
    over: 'memory',
    store: (right) => ({
      async read(query, call) {
        const read = await right.read(query, call);
        if (read.records.some(isDamaged)) throw new SessionError('INCOMPATIBLE_STORE');
        return read;
      },
    }),
  },
  {
    name: 'a limited read reads everything and cuts it here',
    clause: 'GET-8',
    over: 'redis',
    store: (right) => ({
      async read({ limit, versioned }, call) {
        const { records, version } = await right.read({ limit: undefined, versioned }, call);
        return { records: newest(records, limit), version };
      },
    }),
  },
  {
    name: 'a cache that only writes of its own instance empty',
    clause: 'GET-9',
    over: 'memory',
    store: (right) => {
      let cached: ReturnType<typeof right.read> | undefined;
      return {
        read(query, call) {
          cached ??= right.read({ ...query, limit: undefined }, call);
          return cached;
        },
        commit(change, call) {
          cached = undefined;
          return right.commit(change, call);
        },
      };
    },
  },
  {
    name: 'a read answers with what the one before it found, and looks again for the next one',
    clause: 'GET-9',
    over: 'memory',
    session: (right) => {
      let before: Promise<unknown[]> | undefined;
      return {
        getItems: (limit, options) => {
          const now = right.getItems(limit, options);
          const stale = before ?? now;
          before = now;
          return stale;
        },
      };
    },
  },
];
