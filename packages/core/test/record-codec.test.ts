import { describe, expect, it } from 'vitest';
import { type RecordCodec, StoredSession, TEXT } from '../src/store.ts';
import { ScriptedStore } from './support/scripted-store.ts';

/** Text in an object, which is another one each time that it is read. */
interface Boxed {
  readonly boxed: string;
}

const BOXED: RecordCodec<Boxed> = {
  encode: (item, index) => ({ boxed: TEXT.encode(item, index) }),
  decode: ({ boxed }) => TEXT.decode(boxed),
  text: ({ boxed }) => boxed,
  mostBytes: ({ boxed }) => TEXT.mostBytes(boxed),
};

/** A session whose store parses its records anew for each read. */
function boxedSession(): StoredSession<unknown, Boxed> {
  const store = new ScriptedStore();
  return new StoredSession<unknown, Boxed>({
    adapter: 'boxed',
    sessionId: 'a',
    codec: BOXED,
    open: () => ({
      async read(query, call) {
        const { records, version } = await store.read(query, call);
        return { records: records.map((boxed) => ({ boxed })), version };
      },
      async commit(change, call) {
        const add = change.add.map(({ boxed }) => boxed);
        const { popped } = await store.commit({ ...change, add }, call);
        return popped === undefined ? {} : { popped: { boxed: popped } };
      },
    }),
  });
}

const call = (callId: string) => ({ type: 'function_call', callId });

describe('records of a kind that the store chose', () => {
  it('GET-2 POP-1 are added, read and popped', async () => {
    const session = boxedSession();
    await session.addItems([{ a: 1 }, { b: 2n }, new Map([['c', 3]])]);
    expect(await session.getItems(2)).toEqual([{ b: 2n }, new Map([['c', 3]])]);
    expect(await session.popItem()).toEqual(new Map([['c', 3]]));
  });

  it('CMP-3 are known again, though each read makes them anew', async () => {
    const session = boxedSession();
    await session.addItems([{ a: 1 }, { a: 2 }]);
    const snapshot = await session.snapshotHistory();
    await session.addItems([{ a: 3 }]);
    expect(await snapshot.replace([{ summary: true }])).toBe(true);
    expect(await session.getItems()).toEqual([{ summary: true }, { a: 3 }]);
  });

  it('RWR-1 are left alone by a rewrite that says what is there', async () => {
    const session = boxedSession();
    await session.addItems([call('one'), call('two')]);
    const before = await session.snapshotHistory();
    await session.applyHistoryMutations({
      mutations: [{ type: 'replace_function_call', callId: 'one', replacement: call('one') as never }],
    });
    // Nothing was written: the snapshot is still of the newest version, and replaced without another look.
    expect(await before.replace([call('two')])).toBe(true);
    expect(await session.getItems()).toEqual([call('two')]);
  });

  it('TXN-1 TXN-3 are compared by what they hold', async () => {
    const session = boxedSession();
    await session.addItems([{ a: 1, b: 2 }]);
    await session.applyHistoryTransaction({
      operationId: 'one',
      transaction: { type: 'replace_suffix', expectedSuffix: [{ b: 2, a: 1 }], replacement: [{ c: 3 }] },
    });
    expect(await session.getItems()).toEqual([{ c: 3 }]);
  });
});
