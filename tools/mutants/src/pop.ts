import { SessionError } from '@sessions/core';
import { HELD_MARK, type HistoryCommit, type HistoryStore, isPop } from '@sessions/core/store';
import { retelling } from './errors-retold.ts';
import type { Mutant, SessionMutation, StoreMutation } from './mutant.ts';
import { isDamaged, wholeList } from './whole-list.ts';

/** A session that returns something else than it popped. */
function pops(change: (item: unknown) => unknown): SessionMutation {
  return (right) => ({ popItem: async (options) => change(await right.popItem(options)) });
}

/** A store that pops in a way of its own. */
function popsBy(
  pop: (right: HistoryStore, ...args: Parameters<HistoryStore['commit']>) => Promise<HistoryCommit>,
): StoreMutation {
  return (right) => ({
    commit: (change, call) => (isPop(change) ? pop(right, change, call) : right.commit(change, call)),
  });
}

/** A pop that reads the newest record and drops it by its version, which fails if another one was first. */
const dropsWhatItRead = popsBy(async (right, change, call) => {
  const { records, version } = await right.read({ limit: 1, versioned: true }, call);
  await right.commit({ ...change, ifVersion: version }, call);
  return { popped: records[0] };
});

/** A store that gives something else for a damaged record that it popped. */
function popsDamagedAs(change: (record: string) => string | undefined): StoreMutation {
  return popsBy(async (right, pop, call) => {
    const { popped } = await right.commit(pop, call);
    return { popped: popped !== undefined && isDamaged(popped) ? change(popped) : popped };
  });
}

export const popMutants: readonly Mutant[] = [
  {
    name: 'the oldest is popped',
    clause: 'POP-1',
    over: 'memory',
    store: popsBy(async (right, change, call) => {
      const [popped, ...add] = await wholeList(right, call);
      await right.commit({ ...change, drop: 'all', add }, call);
      return { popped };
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
    store: popsBy(async (right, change, call) => {
      const { records } = await right.read({ limit: 1, versioned: false }, call);
      await right.commit(change, call);
      return { popped: records[0] };
    }),
  },
  {
    name: 'a pop fails when another one was first',
    clause: 'POP-2',
    over: 'memory',
    store: dropsWhatItRead,
  },
  {
    name: 'a pop that another one got ahead of finds nothing',
    clause: 'POP-2',
    over: 'memory',
    store: (right) => {
      const { commit } = dropsWhatItRead(right);
      return {
        commit: (change, call) =>
          retelling(commit!(change, call), (error) => {
            if (isPop(change) && error.code === 'CONFLICT') return {};
            throw error;
          }),
      };
    },
  },
  {
    name: 'a damaged newest record is popped as nothing',
    clause: 'POP-3',
    over: 'memory',
    store: popsDamagedAs(() => undefined),
  },
  {
    name: 'a damaged newest record makes the pop fail',
    clause: 'POP-3',
    over: 'memory',
    store: popsBy(async (right, change, call) => {
      const { records } = await right.read({ limit: 1, versioned: false }, call);
      if (records.some(isDamaged)) throw new SessionError('UNREADABLE_ITEM');
      return right.commit(change, call);
    }),
  },
  {
    name: 'a damaged record is popped as its text',
    clause: 'POP-3',
    over: 'memory',
    store: popsDamagedAs((record) => JSON.stringify(record)),
  },
  {
    name: 'what was written by a newer version is popped and then refused',
    clause: 'POP-4',
    over: 'memory',
    store: dropsWhatItRead,
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
