import { isSessionError } from '@sessions/core';
import { isPop, type StoreCall } from '@sessions/core/store';
import type { Mutant, StoreMutation } from './mutant.ts';
import { turn } from './turn.ts';
import { newest, readModifyWrite, wholeList } from './whole-list.ts';

const STAMP_LENGTH = 16;

/**
 * Records are read in the order of a stamp that each batch is given, as a table sorted by time is.
 *
 * @param clockOf - gives each instance its clock
 */
function stamped(clockOf: () => () => number): StoreMutation {
  return (right) => {
    const clock = clockOf();
    const sorted = async (call: StoreCall) => {
      const stampOf = (record: string) => Number(record.slice(0, STAMP_LENGTH));
      return (await wholeList(right, call)).sort((a, b) => stampOf(a) - stampOf(b));
    };
    return {
      async read({ limit }, call) {
        const records = (await sorted(call)).map((record) => record.slice(STAMP_LENGTH));
        return { records: newest(records, limit) };
      },
      async commit(change, call) {
        if (isPop(change)) {
          const records = await sorted(call);
          const popped = records.pop()?.slice(STAMP_LENGTH);
          await right.commit({ ...change, drop: 'all', add: records }, call);
          return { popped };
        }
        const stamp = String(clock()).padStart(STAMP_LENGTH, '0');
        return right.commit({ ...change, add: change.add.map((record) => stamp + record) }, call);
      },
    };
  };
}

export const orderMutants: readonly Mutant[] = [
  {
    name: 'the whole list is read, changed and written back',
    clause: 'ORD-1',
    over: 'memory',
    store: readModifyWrite,
  },
  {
    name: 'the whole list is read, changed and written back, over a wire',
    clause: 'ORD-1',
    over: 'redis',
    store: readModifyWrite,
  },
  {
    name: 'a clear removes as many records as it counted before',
    clause: 'ORD-1',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        if (!change.clear) return right.commit(change, call);
        const { length } = await wholeList(right, call);
        return right.commit({ ...change, clear: undefined, drop: length }, call);
      },
    }),
  },
  {
    name: 'an append is cut in two by a clear',
    clause: 'ORD-1',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { add } = change;
        if (add.length < 2) return right.commit(change, call);
        await right.commit({ ...change, id: `${change.id}/1`, add: add.slice(0, 1) }, call);
        return right.commit({ ...change, drop: 0, add: add.slice(1) }, call);
      },
    }),
  },
  {
    name: 'the first write replaces what another first one wrote',
    clause: 'ORD-2',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { records } = await right.read({ limit: 1, versioned: false }, call);
        const isFirst = records.length === 0 && change.add.length > 0;
        return right.commit(isFirst ? { ...change, drop: 'all' } : change, call);
      },
    }),
  },
  {
    name: 'the first write fails when another one was first',
    clause: 'ORD-2',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { records, version } = await right.read({ limit: 1, versioned: true }, call);
        return right.commit(records.length === 0 ? { ...change, ifVersion: version } : change, call);
      },
    }),
  },
  {
    name: 'a first write that another one got ahead of is dropped',
    clause: 'ORD-2',
    over: 'memory',
    store: (right) => ({
      async commit(change, call) {
        const { version } = await right.read({ limit: 1, versioned: true }, call);
        try {
          return await right.commit({ ...change, ifVersion: version }, call);
        } catch (error) {
          if (isSessionError(error, 'CONFLICT')) return {};
          throw error;
        }
      },
    }),
  },
  {
    name: 'items are ordered by the clock',
    clause: 'ORD-3',
    over: 'memory',
    store: stamped(() => () => Date.now()),
  },
  {
    // What makes the clock of one instance go forward does not help against that of another one.
    name: 'items are ordered by a clock that goes forward in each instance',
    clause: 'ORD-3',
    over: 'memory',
    store: stamped(() => {
      let last = 0;
      return () => {
        last = Math.max(last + 1, Date.now());
        return last;
      };
    }),
  },
  {
    name: 'a batch replaces the one of the same millisecond',
    clause: 'ORD-3',
    over: 'memory',
    store: (right) => {
      let last: number | undefined;
      return {
        async commit(change, call) {
          const now = Date.now();
          const isSame = change.add.length > 0 && now === last;
          last = now;
          return right.commit(isSame ? { ...change, drop: 'all' } : change, call);
        },
      };
    },
  },
  {
    name: 'reads do not wait for the writes before them',
    clause: 'ORD-4',
    over: 'memory',
    session: (right, { again }) => ({
      getItems: (limit, options) => again().getItems(limit, options),
      addItems: async (items, options) => {
        const adding = turn().then(() => right.addItems(items, options));
        await adding;
      },
    }),
  },
  {
    name: 'pops do not wait for what is added before them',
    clause: 'ORD-4',
    over: 'memory',
    session: (right) => ({
      popItem: async (options) => {
        await turn();
        return right.popItem(options);
      },
    }),
  },
  {
    name: 'each call takes whatever connection is free',
    clause: 'ORD-4',
    over: 'memory',
    session: (right, { again }) => {
      let calls = 0;
      // Every other connection is a slow one.
      const pooled = async () => {
        if (calls++ % 2 === 0) await turn();
        return again();
      };
      return {
        addItems: async (items, options) => (await pooled()).addItems(items, options),
        getItems: async (limit, options) => (await pooled()).getItems(limit, options),
        popItem: async (options) => (await pooled()).popItem(options),
        close: () => right.close(),
      };
    },
  },
  {
    name: 'a clear is done before the calls that wait',
    clause: 'ORD-4',
    over: 'memory',
    session: (right, { again }) => ({
      clearSession: (options) => again().clearSession(options),
      addItems: async (items, options) => {
        await turn();
        await right.addItems(items, options);
      },
    }),
  },
];
