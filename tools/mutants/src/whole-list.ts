import {
  DAMAGED,
  decodeRecord,
  HELD_MARK,
  type HistoryStore,
  isPop,
  type StoreCall,
} from '@sessions/core/store';
import type { StoreMutation } from './mutant.ts';
import { turn } from './turn.ts';

/** All records of a session, oldest first. */
export async function wholeList(store: HistoryStore, call: StoreCall): Promise<string[]> {
  const { records } = await store.read({ limit: undefined, versioned: false }, call);
  return records;
}

export function newest(records: string[], limit: number | undefined): string[] {
  return limit === undefined ? records : records.slice(-limit);
}

export function isDamaged(record: string): boolean {
  return !record.startsWith(HELD_MARK) && decodeRecord(record) === DAMAGED;
}

/** Each change reads the whole list, changes it here and writes it back, whoever wrote meanwhile. */
export const readModifyWrite: StoreMutation = (right) => ({
  async commit(change, call) {
    if (change.clear) return right.commit(change, call);
    const records = await wholeList(right, call);
    const popped = isPop(change) ? records.at(-1) : undefined;
    const kept = change.drop === 'all' ? [] : records.slice(0, Math.max(0, records.length - change.drop));
    await right.commit({ ...change, drop: 'all', add: [...kept, ...change.add], ifVersion: undefined }, call);
    return { popped };
  },
});

/** A batch over a certain length is written in several changes. */
export function inPieces(size: number): StoreMutation {
  return (right) => ({
    async commit(change, call) {
      if (change.add.length <= size) return right.commit(change, call);
      for (let at = 0; at < change.add.length; at += size) {
        if (at > 0) await turn();
        const drop = at === 0 ? change.drop : 0;
        const add = change.add.slice(at, at + size);
        await right.commit({ ...change, id: `${change.id}/${at}`, drop, add }, call);
      }
      return {};
    },
  });
}
