import { describe, expect, it } from 'vitest';
import { SessionError } from '../src/index.ts';
import { behind, fail, hang } from './support/scripted-store.ts';
import { contentOf, isSettled, m, open, rejectionOf, settle } from './support/sessions.ts';

type Opened = ReturnType<typeof open>['session'];

const METHODS: Record<string, (session: Opened) => Promise<unknown>> = {
  getSessionId: (session) => session.getSessionId(),
  getItems: (session) => session.getItems(),
  'getItems(0)': (session) => session.getItems(0),
  addItems: (session) => session.addItems([m(1)]),
  'addItems([])': (session) => session.addItems([]),
  popItem: (session) => session.popItem(),
  clearSession: (session) => session.clearSession(),
  replaceHistoryWithCompaction: (session) => session.replaceHistoryWithCompaction([m(1)]),
  applyHistoryTransaction: (session) =>
    session.applyHistoryTransaction({
      operationId: 'op',
      transaction: { type: 'append_items', items: [m(1)] },
    }),
  applyHistoryMutations: (session) => session.applyHistoryMutations({ mutations: [] }),
};

const CLOSED = { code: 'CLOSED', adapter: 'scripted', retryable: false };

describe('close', () => {
  it.each(Object.entries(METHODS))('LIFE-2 makes %s reject at once, without a call', async (_, call) => {
    const { session, store } = open();
    await session.close();
    expect(await rejectionOf(call(session))).toMatchObject(CLOSED);
    expect(store.calls).toBe(0);
  });

  it.each(Object.entries(METHODS))(
    'LIFE-2 makes %s reject from its call on, not from its end',
    async (_, call) => {
      const { session, store } = open();
      const gate = Promise.withResolvers<void>();
      store.onCommit(behind(gate.promise));
      const writing = session.addItems([m(0)]);
      const closing = session.close();
      expect(await rejectionOf(call(session))).toMatchObject(CLOSED);
      gate.resolve();
      await Promise.all([writing, closing]);
      expect(contentOf(store)).toEqual([m(0)]);
    },
  );

  it('LIFE-2 leaves the id to be read', async () => {
    const { session } = open();
    await session.close();
    expect(session.sessionId).toBe('thread-1');
  });

  it('LIFE-2 ends calls that wait for their turn, at once', async () => {
    const { session, store } = open();
    const gate = Promise.withResolvers<void>();
    store.onCommit(behind(gate.promise));
    const writing = session.addItems([m(0)]);
    const waiting = [session.addItems([m(1)]), session.getItems(), session.popItem(), session.clearSession()];
    const rejections = waiting.map(rejectionOf);
    const closing = session.close();
    for (const error of await Promise.all(rejections)) expect(error).toMatchObject(CLOSED);
    gate.resolve();
    await Promise.all([writing, closing]);
    expect(store.calls).toBe(1);
  });

  it('LIFE-2 ends a read that hangs, at once', async () => {
    const { session, store } = open();
    store.onRead(hang);
    const reading = rejectionOf(session.getItems());
    const waiting = rejectionOf(session.addItems([m(1)]));
    await session.close();
    expect(await reading).toMatchObject(CLOSED);
    expect(await waiting).toMatchObject(CLOSED);
    expect(store.changes).toEqual([]);
  });

  it('LIFE-2 waits for a write under way, which settles with its own result', async () => {
    const { session, store } = open();
    const gate = Promise.withResolvers<void>();
    store.records = ['"popped"'];
    store.onCommit(behind(gate.promise));
    const popping = session.popItem();
    const closing = session.close();
    expect(await isSettled(closing)).toBe(false);
    expect(store.closes).toBe(0);
    gate.resolve();
    expect(await popping).toBe('popped');
    await closing;
    expect(store.closes).toBe(1);
  });

  it('LIFE-2 waits for a write under way, which settles with its own error', async () => {
    const { session, store } = open();
    const gate = Promise.withResolvers<void>();
    store.onCommit(async () => {
      await gate.promise;
      throw new SessionError('ACCESS_DENIED');
    });
    const writing = rejectionOf(session.addItems([m(1)]));
    const closing = session.close();
    gate.resolve();
    expect(await writing).toMatchObject({ code: 'ACCESS_DENIED' });
    await closing;
    expect(store.closes).toBe(1);
  });

  it('LIFE-2 FLT-2 waits no longer than a hanging write may take', async () => {
    const { session, store } = open({ timeoutMs: 50 });
    store.onCommit(hang);
    const writing = rejectionOf(session.addItems([m(1)]));
    const began = performance.now();
    await session.close();
    expect(await writing).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('LIFE-2 starts no read of a transaction or rewrite that is half way', async () => {
    const { session, store } = open();
    const gate = Promise.withResolvers<void>();
    store.onRead(behind(gate.promise));
    const rewriting = rejectionOf(
      session.applyHistoryMutations({
        mutations: [
          { type: 'replace_function_call', callId: 'c', replacement: { type: 'function_call' } as never },
        ],
      }),
    );
    const closing = session.close();
    expect(await rewriting).toMatchObject(CLOSED);
    gate.resolve();
    await closing;
    expect(store.changes).toEqual([]);
  });

  it('LIFE-2 does not wait for another read, where a write under way came too late', async () => {
    const { session, store } = open();
    store.records = ['{"type":"function_call","callId":"c"}'];
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    store.onCommit(async (apply) => {
      reached.resolve();
      await gate.promise;
      store.apply({ id: 'another', drop: 0, add: ['{}'] });
      return apply();
    });
    const replacement = { type: 'function_call', callId: 'c', name: 'new' } as never;
    const rewriting = rejectionOf(
      session.applyHistoryMutations({
        mutations: [{ type: 'replace_function_call', callId: 'c', replacement }],
      }),
    );
    await reached.promise;
    const closing = session.close();
    store.everyRead = hang;
    gate.resolve();
    expect(await rewriting).toMatchObject(CLOSED);
    await closing;
    expect(store.changes).toHaveLength(1);
  });

  it('LIFE-2 writes nothing for a transaction that had not reached the store', async () => {
    const { session, store } = open();
    const applying = rejectionOf(METHODS.applyHistoryTransaction!(session));
    // At this moment the transaction's digest is being computed.
    const closing = session.close();
    expect(await applying).toMatchObject(CLOSED);
    await closing;
    await settle();
    expect(store.calls).toBe(0);
  });

  it('LIFE-1 may be called twice, and closes the store once', async () => {
    const { session, store } = open();
    await Promise.all([session.close(), session.close()]);
    await session.close();
    expect(store.closes).toBe(1);
  });

  it('LIFE-2 may be called again after it failed, and stays closed meanwhile', async () => {
    const { session, store } = open();
    const failure = new SessionError('UNAVAILABLE');
    store.everyClose = async () => {
      throw failure;
    };
    const both = [session.close(), session.close()].map(rejectionOf);
    for (const error of await Promise.all(both)) {
      expect(error).toMatchObject({ code: 'UNAVAILABLE', adapter: 'scripted' });
    }
    expect(store.closes).toBe(1);
    expect(await rejectionOf(session.getItems())).toMatchObject(CLOSED);
    store.everyClose = async () => undefined;
    await session.close();
    expect(store.closes).toBe(2);
    await session.close();
    expect(store.closes).toBe(2);
  });

  it('LIFE-1 needs no `close` of the store', async () => {
    const { session, store } = open();
    Object.defineProperty(store, 'close', { value: undefined });
    await session.close();
    expect(await rejectionOf(session.getItems())).toMatchObject(CLOSED);
  });

  it('LIFE-1 is what `await using` does', async () => {
    const { store, session: outer } = open();
    {
      await using session = outer;
      await session.addItems([m(1)]);
    }
    expect(store.closes).toBe(1);
    expect(await rejectionOf(outer.getItems())).toMatchObject(CLOSED);
    await outer[Symbol.asyncDispose]();
    expect(store.closes).toBe(1);
  });

  it('LIFE-2 ends the instance only, not the session', async () => {
    const { session, store } = open();
    const other = open({}, store).session;
    await session.addItems([m(1)]);
    await session.close();
    expect(await other.getItems()).toEqual([m(1)]);
  });

  it('LIFE-2 waits for all that was made before it, also after failures', async () => {
    const { session, store } = open();
    store.onCommit(fail(new SessionError('ACCESS_DENIED')));
    const failing = rejectionOf(session.addItems([m(1)]));
    expect(await failing).toMatchObject({ code: 'ACCESS_DENIED' });
    await session.close();
    expect(store.closes).toBe(1);
  });
});
