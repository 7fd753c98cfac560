import { describe, expect, it } from 'vitest';
import { SessionError } from '../src/index.ts';
import { behind, fail, hang } from './support/scripted-store.ts';
import { contentOf, isSettled, m, open, rejectionOf, rowsOf, settle } from './support/sessions.ts';

describe('calls through one instance', () => {
  it('ORD-4 take effect in the order in which they were made, awaited or not', async () => {
    const { session, store } = open();
    const results = await Promise.all([
      session.addItems([m(1), m(2)]),
      session.getItems(),
      session.addItems([m(3)]),
      session.popItem(),
      session.getItems(1),
      session.clearSession(),
      session.getItems(),
      session.addItems([m(4)]),
      session.replaceHistoryWithCompaction([m(5)]),
      session.applyHistoryTransaction({
        operationId: 'op',
        transaction: { type: 'append_items', items: [m(6)] },
      }),
      session.getItems(),
    ]);
    expect([results[1], results[3], results[4], results[6], results[10]]).toEqual([
      [m(1), m(2)],
      m(3),
      [m(2)],
      [],
      [m(5), m(6)],
    ]);
    expect(store.mostAtOnce).toBe(1);
  });

  it('ORD-4 do not overtake one that is slow', async () => {
    const { session, store } = open();
    const gate = Promise.withResolvers<void>();
    store.onCommit(behind(gate.promise));
    const calls = Promise.all([session.addItems([m(1)]), session.addItems([m(2)]), session.getItems()]);
    await settle();
    expect(store.calls).toBe(1);
    gate.resolve();
    expect((await calls)[2]).toEqual([m(1), m(2)]);
  });

  it('ORD-4 go on after one that failed', async () => {
    const { session, store } = open();
    store.onCommit(fail(new SessionError('ACCESS_DENIED')));
    const failing = rejectionOf(session.addItems([m(1)]));
    const others = Promise.all([session.addItems([m(2)]), session.addItems([m(3)]), session.getItems()]);
    expect(await failing).toMatchObject({ code: 'ACCESS_DENIED' });
    expect((await others)[2]).toEqual([m(2), m(3)]);
  });

  it('ORD-4 go on after one that was refused for its arguments', async () => {
    const { session, store } = open();
    const before = session.addItems([m(1)]);
    const refused = rejectionOf(session.addItems([() => 1]));
    const after = session.addItems([m(2)]);
    expect(await refused).toMatchObject({ code: 'INVALID_ITEM' });
    await Promise.all([before, after]);
    expect(contentOf(store)).toEqual([m(1), m(2)]);
  });

  it('ORD-4 LIFE-4 do not overtake those before one that was given up while it waited', async () => {
    const { session, store } = open();
    const gate = Promise.withResolvers<void>();
    store.onCommit(behind(gate.promise));
    const cancellation = new AbortController();
    const first = session.addItems([m(1)]);
    const second = rejectionOf(session.addItems([m(2)], { signal: cancellation.signal }));
    const third = session.addItems([m(3)]);
    const fourth = session.getItems();
    cancellation.abort('given up');
    expect(await second).toBe('given up');
    await settle();
    // The first is still under way, so nobody else has reached the store.
    expect(store.calls).toBe(1);
    gate.resolve();
    await Promise.all([first, third]);
    expect(await fourth).toEqual([m(1), m(3)]);
    expect(store.mostAtOnce).toBe(1);
  });

  it('ORD-4 go on when all that waited were given up', async () => {
    const { session, store } = open();
    const gate = Promise.withResolvers<void>();
    store.onCommit(behind(gate.promise));
    const cancellation = new AbortController();
    const { signal } = cancellation;
    const first = session.addItems([m(1)]);
    const waiting = [
      session.addItems([m(2)], { signal }),
      session.popItem({ signal }),
      session.getItems(1, { signal }),
    ];
    const rejections = waiting.map(rejectionOf);
    cancellation.abort('given up');
    expect(await Promise.all(rejections)).toEqual(['given up', 'given up', 'given up']);
    gate.resolve();
    await first;
    await session.addItems([m(4)]);
    expect(contentOf(store)).toEqual([m(1), m(4)]);
  });

  it('ORD-4 that read or write nothing do not wait', async () => {
    const { session, store } = open();
    store.onRead(hang);
    const hanging = rejectionOf(session.getItems());
    expect(await isSettled(session.getSessionId())).toBe(true);
    expect(await isSettled(session.getItems(0))).toBe(true);
    expect(await isSettled(session.addItems([]))).toBe(true);
    await session.close();
    expect(await hanging).toMatchObject({ code: 'CLOSED' });
  });

  it('ORD-1 of another instance are not held back', async () => {
    const { session, store } = open();
    const other = open({}, store).session;
    const gate = Promise.withResolvers<void>();
    store.onCommit(behind(gate.promise));
    const slow = session.addItems([m(1)]);
    await other.addItems([m(2)]);
    gate.resolve();
    await slow;
    expect(contentOf(store)).toEqual([m(2), m(1)]);
  });

  it('ORD-4 keep 1,000 un-awaited batches in order', async () => {
    const { session, store } = open();
    const numbers = Array.from({ length: 1_000 }, (_, i) => i);
    await Promise.all(numbers.map((i) => session.addItems([m(i)])));
    expect(store.records).toEqual(rowsOf(...numbers.map(m)));
  });
});
