import { isSessionError, SessionError } from '@sessions/core';
import { HELD_MARK, isPop } from '@sessions/core/store';
import type { Mutant, SessionMutation } from './mutant.ts';
import { isDamaged, wholeList } from './whole-list.ts';

/** A session that returns something else than it popped. */
function pops(change: (item: unknown) => unknown): SessionMutation {
  return (right) => ({ popItem: async (options) => change(await right.popItem(options)) });
}

export const popMutants: readonly Mutant[] = [
  {
    name: 'the oldest is popped',
    clause: 'POP-1',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (!isPop(change)) return right.commit(change, call);
        const [popped, ...add] = await wholeList(right, call);
        await right.commit({ ...change, drop: 'all', add }, call);
        return { popped };
      },
    }),
  },
  {
    name: 'an empty session gives null',
    clause: 'POP-1',
    over: 'memory',
    session: pops((item) => item ?? null),
  },
  {
    name: 'a pop of an empty session fails',
    clause: 'POP-1',
    over: 'memory',
    session: pops((item) => {
      if (item === undefined) throw new SessionError('INCOMPATIBLE_STORE');
      return item;
    }),
  },
  {
    name: 'a pop of an empty session waits for an item',
    clause: 'POP-1',
    over: 'memory',
    session: (right) => ({
      async popItem(options) {
        for (;;) {
          const item = await right.popItem(options);
          if (item !== undefined) return item;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      },
    }),
  },
  {
    name: 'a popped item stays',
    clause: 'POP-1',
    over: 'memory',
    session: (right) => ({ popItem: async (options) => (await right.getItems(1, options))[0] }),
  },
  {
    name: 'a popped item that is falsy is lost',
    clause: 'POP-1',
    over: 'memory',
    session: pops((item) => item || undefined),
  },
  {
    name: 'a popped item is its text',
    clause: 'POP-1',
    over: 'memory',
    session: pops((item) => JSON.stringify(item)),
  },
  {
    name: 'a pop is a read and then a delete',
    clause: 'POP-2',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (!isPop(change)) return right.commit(change, call);
        const { records } = await right.read({ limit: 1, versioned: false }, call);
        await right.commit(change, call);
        return { popped: records[0] };
      },
    }),
  },
  {
    name: 'a pop fails when another one was first',
    clause: 'POP-2',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (!isPop(change)) return right.commit(change, call);
        const { records, version } = await right.read({ limit: 1, versioned: true }, call);
        await right.commit({ ...change, ifVersion: version }, call);
        return { popped: records[0] };
      },
    }),
  },
  {
    name: 'a pop that another one got ahead of finds nothing',
    clause: 'POP-2',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (!isPop(change)) return right.commit(change, call);
        const { records, version } = await right.read({ limit: 1, versioned: true }, call);
        try {
          await right.commit({ ...change, ifVersion: version }, call);
          return { popped: records[0] };
        } catch (error) {
          if (isSessionError(error, 'CONFLICT')) return {};
          throw error;
        }
      },
    }),
  },
  {
    name: 'a damaged newest record is popped as nothing',
    clause: 'POP-3',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { popped } = await right.commit(change, call);
        return { popped: popped !== undefined && isDamaged(popped) ? undefined : popped };
      },
    }),
  },
  {
    name: 'a damaged newest record makes the pop fail',
    clause: 'POP-3',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { records } = await right.read({ limit: 1, versioned: false }, call);
        if (isPop(change) && records.some(isDamaged)) throw new SessionError('UNREADABLE_ITEM');
        return right.commit(change, call);
      },
    }),
  },
  {
    name: 'a damaged record is popped as its text',
    clause: 'POP-3',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { popped } = await right.commit(change, call);
        return { popped: popped !== undefined && isDamaged(popped) ? JSON.stringify(popped) : popped };
      },
    }),
  },
  {
    name: 'what was written by a newer version is popped and then refused',
    clause: 'POP-4',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (!isPop(change)) return right.commit(change, call);
        const { records, version } = await right.read({ limit: 1, versioned: true }, call);
        await right.commit({ ...change, ifVersion: version }, call);
        return { popped: records[0] };
      },
    }),
  },
  {
    name: 'a read skips what was written by a newer version',
    clause: 'POP-4',
    over: 'memory',
    store: (right) => ({
      async read(query, call) {
        const { records, version } = await right.read(query, call);
        return { records: records.filter((record) => !record.startsWith(HELD_MARK)), version };
      },
    }),
  },
  {
    name: 'the version of a record is ignored',
    clause: 'POP-4',
    over: 'memory',
    store: (right) => ({
      async read(query, call) {
        const { records, version } = await right.read(query, call);
        return { records: records.map((record) => record.replace(/^~\d+/, '')), version };
      },
    }),
  },
  {
    name: 'a record of a newer version anywhere makes each read fail',
    clause: 'POP-4',
    over: 'memory',
    store: (right) => ({
      async read(query, call) {
        const records = await wholeList(right, call);
        if (records.some((record) => record.startsWith(HELD_MARK))) throw new SessionError('UNREADABLE_ITEM');
        return right.read(query, call);
      },
    }),
  },
  {
    name: 'a clear leaves what was written by a newer version',
    clause: 'POP-4',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (!change.clear) return right.commit(change, call);
        const add = (await wholeList(right, call)).filter((record) => record.startsWith(HELD_MARK));
        return right.commit({ ...change, clear: undefined, drop: 'all', add }, call);
      },
    }),
  },
];
