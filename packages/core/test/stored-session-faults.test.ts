import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SessionError, type SessionErrorCode } from '../src/index.ts';
import type { StoreCall } from '../src/store.ts';
import { behind, fail, hang, loseReply } from './support/scripted-store.ts';
import { contentOf, m, open, rejectionOf, rowsOf } from './support/sessions.ts';

/** Far more than any of the times below, so that a slow machine fails nothing. */
const GENEROUS_MS = 5_000;

async function timed<T>(work: Promise<T>): Promise<{ result: T; took: number }> {
  const began = performance.now();
  return { result: await work, took: performance.now() - began };
}

/** As a store does that has sent nothing when the time is up. */
const unsentUntilTimeUp = (_: unknown, { signal }: StoreCall) => {
  return new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new SessionError('UNAVAILABLE')));
  });
};

const idsOf = (changes: { id: string }[]) => new Set(changes.map(({ id }) => id)).size;

describe('a lost reply', () => {
  it('FLT-1 does not apply a batch twice', async () => {
    const { session, store } = open();
    store.onCommit(loseReply, loseReply);
    await session.addItems([m(1), m(2)]);
    expect(contentOf(store)).toEqual([m(1), m(2)]);
    expect(store.changes).toHaveLength(3);
    expect(idsOf(store.changes)).toBe(1);
  });

  it('FLT-1 does not lose what was popped, nor pop twice', async () => {
    const { session, store } = open();
    store.records = rowsOf(m(1), m(2));
    store.onCommit(loseReply);
    expect(await session.popItem()).toEqual(m(2));
    expect(contentOf(store)).toEqual([m(1)]);
  });

  it('FLT-1 does not hide that a transaction was applied', async () => {
    const { session, store } = open();
    store.records = rowsOf(m(1));
    store.onCommit(loseReply);
    const transaction = { type: 'replace_suffix' as const, expectedSuffix: [m(1)], replacement: [m(2)] };
    await session.applyHistoryTransaction({ operationId: 'op', transaction });
    expect(contentOf(store)).toEqual([m(2)]);
    expect(idsOf(store.changes)).toBe(1);
  });

  it('FLT-1 does not bring back what another writer cleared meanwhile', async () => {
    const { session, store } = open();
    store.onCommit((apply) => {
      apply();
      store.apply({ id: 'another', drop: 'all', add: [], clear: true });
      throw new SessionError('OUTCOME_UNKNOWN');
    });
    await session.addItems([m(1)]);
    expect(store.records).toEqual([]);
  });

  it('FLT-1 is tried again under the same id until the time is up, and then told', async () => {
    const { session, store } = open({ timeoutMs: 150 });
    store.everyCommit = fail(new SessionError('OUTCOME_UNKNOWN'));
    const { result, took } = await timed(rejectionOf(session.addItems([m(1)])));
    expect(result).toMatchObject({ code: 'OUTCOME_UNKNOWN', adapter: 'scripted', retryable: false });
    expect(store.changes.length).toBeGreaterThan(1);
    expect(idsOf(store.changes)).toBe(1);
    expect(took).toBeLessThan(GENEROUS_MS);
  });

  it('FLT-1 stays unknown, though the store can only say afterwards that it is down', async () => {
    const { session, store } = open({ timeoutMs: 100 });
    store.onCommit(loseReply);
    store.everyCommit = fail(new SessionError('UNAVAILABLE'));
    expect(await rejectionOf(session.addItems([m(1)]))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(contentOf(store)).toEqual([m(1)]);
  });

  it('FLT-1 stays unknown, though the store refuses afterwards whom it let in before', async () => {
    const { session, store } = open();
    store.onCommit(loseReply, fail(new SessionError('ACCESS_DENIED')));
    expect(await rejectionOf(session.addItems([m(1)]))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('FLT-1 is settled by a conflict: the store looked at the id first', async () => {
    const { session, store } = open();
    store.records = rowsOf(m(1));
    // The change is lost on its way there, and another writer comes first.
    store.onCommit(() => {
      store.apply({ id: 'another', drop: 0, add: rowsOf(m(1)) });
      throw new SessionError('OUTCOME_UNKNOWN');
    });
    const transaction = { type: 'replace_suffix' as const, expectedSuffix: [m(1)], replacement: [m(2)] };
    await session.applyHistoryTransaction({ operationId: 'op', transaction });
    expect(contentOf(store)).toEqual([m(1), m(2)]);
  });

  it('FLT-1 is what a store means that throws something of its own during a commit', async () => {
    const { session, store } = open({ timeoutMs: 100 });
    const cause = new Error('socket hang up');
    store.everyCommit = fail(cause);
    expect(await rejectionOf(session.addItems([m(1)]))).toMatchObject({ code: 'OUTCOME_UNKNOWN', cause });
    expect(idsOf(store.changes)).toBe(1);
    store.everyCommit = behind(Promise.resolve());
    store.onCommit(fail(cause));
    await session.addItems([m(2)]);
    expect(contentOf(store)).toEqual([m(2)]);
  });

  it('FLT-1 gives each call an id of its own', async () => {
    const { session, store } = open();
    for (let call = 0; call < 3; call++) await session.addItems([m(1)]);
    await session.popItem();
    expect(idsOf(store.changes)).toBe(4);
  });
});

describe('a store that is down', () => {
  it('FLT-2 is tried again until it answers', async () => {
    const { session, store } = open();
    const down = fail(new SessionError('UNAVAILABLE'));
    store.onCommit(down, down);
    store.onRead(down, fail(new Error('ECONNRESET')), down);
    await session.addItems([m(1)]);
    expect(await session.getItems()).toEqual([m(1)]);
    expect(store.changes).toHaveLength(3);
    expect(idsOf(store.changes)).toBe(1);
  });

  it('FLT-2 makes a read and a write reject in time, and nothing was written', async () => {
    const { session, store } = open({ timeoutMs: 80 });
    store.everyRead = fail(new SessionError('UNAVAILABLE'));
    store.everyCommit = fail(new SessionError('UNAVAILABLE'));
    for (const call of [() => session.getItems(), () => session.addItems([m(1)]), () => session.popItem()]) {
      const { result, took } = await timed(rejectionOf(call()));
      expect(result).toMatchObject({ code: 'UNAVAILABLE', adapter: 'scripted', retryable: true });
      expect(took).toBeLessThan(GENEROUS_MS);
    }
    expect(store.queries.length).toBeGreaterThan(1);
  });

  it('FLT-2 is what a store means that throws something of its own during a read', async () => {
    const { session, store } = open({ timeoutMs: 50 });
    const cause = new Error('ECONNREFUSED');
    store.everyRead = fail(cause);
    expect(await rejectionOf(session.getItems())).toMatchObject({ code: 'UNAVAILABLE', cause });
  });

  it('FLT-2 may throw before it returns a promise', async () => {
    const { session, store } = open({ timeoutMs: 50 });
    store.read = () => {
      throw new Error('not connected');
    };
    expect(await rejectionOf(session.getItems())).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it.each<SessionErrorCode>(['ACCESS_DENIED', 'INCOMPATIBLE_STORE', 'UNREADABLE_ITEM', 'OPERATION_CONFLICT'])(
    'FLT-2 is not asked again after %s',
    async (code) => {
      const { session, store } = open();
      store.onCommit(fail(new SessionError(code)));
      store.onRead(fail(new SessionError(code)));
      expect(await rejectionOf(session.addItems([m(1)]))).toMatchObject({ code, adapter: 'scripted' });
      expect(await rejectionOf(session.getItems())).toMatchObject({ code, adapter: 'scripted' });
      expect(store.calls).toBe(2);
    },
  );

  it('FLT-2 is not asked again where it says that waiting will not mend it', async () => {
    const { session, store } = open();
    store.onRead(fail(new SessionError('UNAVAILABLE', { retryable: false, message: 'Connect first.' })));
    expect(await rejectionOf(session.getItems())).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Connect first.',
    });
    expect(store.calls).toBe(1);
  });

  it('FLT-4 is used again by the same instance when it is back', async () => {
    const { session, store } = open({ timeoutMs: 50 });
    store.everyRead = hang;
    await rejectionOf(session.getItems());
    store.everyRead = behind(Promise.resolve());
    expect(await session.getItems()).toEqual([]);
  });
});

describe('a store that hangs', () => {
  it('FLT-2 makes a read reject in time', async () => {
    const { session, store } = open({ timeoutMs: 50 });
    store.everyRead = hang;
    const { result, took } = await timed(rejectionOf(session.getItems()));
    expect(result).toMatchObject({ code: 'UNAVAILABLE', adapter: 'scripted', retryable: true });
    expect(took).toBeLessThan(GENEROUS_MS);
  });

  it('FLT-2 FLT-1 makes a write reject in time, with an outcome that is unknown', async () => {
    const { session, store } = open({ timeoutMs: 50 });
    store.everyCommit = hang;
    for (const call of [
      () => session.addItems([m(1)]),
      () => session.popItem(),
      () => session.clearSession(),
    ]) {
      const { result, took } = await timed(rejectionOf(call()));
      expect(result).toMatchObject({ code: 'OUTCOME_UNKNOWN', adapter: 'scripted', retryable: false });
      expect(took).toBeLessThan(GENEROUS_MS);
    }
  });

  it('FLT-2 makes a write reject as not written, where the store has sent nothing', async () => {
    const { session, store } = open({ timeoutMs: 50 });
    store.everyCommit = unsentUntilTimeUp;
    store.everyRead = unsentUntilTimeUp;
    expect(await rejectionOf(session.addItems([m(1)]))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await rejectionOf(session.getItems())).toMatchObject({ code: 'UNAVAILABLE' });
    expect(store.calls).toBe(2);
  });

  it('FLT-1 FLT-2 leaves unknown what one attempt sent, though the last had sent nothing', async () => {
    const { session, store } = open({ timeoutMs: 100 });
    store.onCommit(loseReply, unsentUntilTimeUp);
    expect(await rejectionOf(session.addItems([m(1)]))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('FLT-2 makes the calls behind it reject by their own time, not one after another', async () => {
    const timeoutMs = 300;
    const { session, store } = open({ timeoutMs });
    store.everyCommit = hang;
    store.everyRead = hang;
    const writing = rejectionOf(session.addItems([m(1)]));
    const waiting = Array.from({ length: 40 }, () => rejectionOf(session.getItems()));
    const { result, took } = await timed(Promise.all(waiting));
    expect(await writing).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    for (const error of result) expect(error).toMatchObject({ code: 'UNAVAILABLE', adapter: 'scripted' });
    expect(took).toBeLessThan(timeoutMs * 20);
  });

  it('FLT-2 makes a transaction reject in time, whatever it was at when the time was up', async () => {
    const { session, store } = open({ timeoutMs: 1 });
    store.everyRead = hang;
    store.everyCommit = hang;
    // So large that the time is over long before the digest is known.
    const items = [m(1), 'x'.repeat(8 * 1024 * 1024)];
    const append = session.applyHistoryTransaction({
      operationId: 'append',
      transaction: { type: 'append_items', items },
    });
    expect(await rejectionOf(append)).toMatchObject({
      code: expect.stringMatching(/UNAVAILABLE|OUTCOME_UNKNOWN/),
    });
    const replace = session.applyHistoryTransaction({
      operationId: 'replace',
      transaction: { type: 'replace_suffix', expectedSuffix: items, replacement: [] },
    });
    expect(await rejectionOf(replace)).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('FLT-2 makes a read of many damaged records reject in time', async () => {
    const { session, store } = open({ timeoutMs: 80 });
    store.records = new Array(1_000).fill('{damaged');
    store.onRead((read) => read());
    store.everyRead = hang;
    expect(await rejectionOf(session.getItems(1))).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('FLT-2 makes a rewrite that always comes too late reject in time', async () => {
    const { session, store } = open({ timeoutMs: 80 });
    store.records = rowsOf(m(1));
    let other = 0;
    store.everyCommit = async (apply) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      store.apply({ id: `another ${other++}`, drop: 0, add: rowsOf(m(1)) });
      return apply();
    };
    const transaction = { type: 'replace_suffix' as const, expectedSuffix: [m(1)], replacement: [m(2)] };
    const { result, took } = await timed(
      rejectionOf(session.applyHistoryTransaction({ operationId: 'op', transaction })),
    );
    expect(result).toMatchObject({ code: 'CONFLICT', adapter: 'scripted', retryable: true });
    expect(store.changes.length).toBeGreaterThan(1);
    expect(took).toBeLessThan(GENEROUS_MS);
    expect(contentOf(store)).not.toContainEqual(m(2));
  });
});

describe('errors', () => {
  const SECRET = 'SECRET-CONTENT';

  it('SEC-1 tell the adapter and nothing of any item, of whatever kind they are', async () => {
    const { session, store } = open({ timeoutMs: 40 });
    const secret = { role: 'user', content: SECRET };
    const append = (operationId: string, items: unknown[]) => {
      return session.applyHistoryTransaction({ operationId, transaction: { type: 'append_items', items } });
    };
    const errors: unknown[] = [];
    const collect = async (call: Promise<unknown>) => errors.push(await rejectionOf(call));

    await session.addItems([secret]);
    await collect(session.addItems([secret, { ...secret, bad: () => SECRET }]));
    await collect(session.addItems([secret, SECRET.repeat(3 * 1024 * 1024)]));
    await collect(session.addItems(SECRET as never));
    await append('op', [secret]);
    await collect(append('op', [secret, secret]));
    await collect(append('  ', [secret]));
    await collect(append('op2', [Symbol(SECRET)]));
    await collect(session.applyHistoryTransaction({ operationId: 'op3', transaction: secret as never }));
    await collect(
      session.applyHistoryTransaction({
        operationId: 'op4',
        transaction: { type: 'replace_suffix', expectedSuffix: [{ other: SECRET }], replacement: [secret] },
      }),
    );
    await collect(session.applyHistoryMutations({ mutations: [secret as never] }));
    await collect(session.getItems(SECRET as never));
    for (const code of ['UNAVAILABLE', 'OUTCOME_UNKNOWN', 'ACCESS_DENIED', 'INCOMPATIBLE_STORE'] as const) {
      store.everyCommit = fail(new SessionError(code));
      await collect(session.addItems([secret]));
    }
    store.everyRead = hang;
    store.everyCommit = hang;
    await collect(session.getItems());
    await collect(session.addItems([secret]));
    store.everyRead = behind(Promise.resolve());
    store.records = [`~${SECRET}`];
    await collect(session.getItems());
    await session.close();
    await collect(session.addItems([secret]));

    const codes = errors.map((error) => (error as SessionError).code);
    expect(new Set(codes).size).toBe(12);
    for (const error of errors) {
      expect(error).toMatchObject({ adapter: 'scripted' });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
    }
  });

  it('SEC-1 of the store keep their words, cause and answers, and get the adapter', async () => {
    const { session, store } = open();
    const cause = new Error('NOPERM');
    const details = { message: 'No permission.', cause, retryable: false };
    store.onCommit(fail(new SessionError('ACCESS_DENIED', details)));
    expect(await rejectionOf(session.addItems([m(1)]))).toMatchObject({ ...details, adapter: 'scripted' });
    store.onCommit(fail(new SessionError('ACCESS_DENIED', { adapter: 'inner' })));
    expect(await rejectionOf(session.addItems([m(1)]))).toMatchObject({ adapter: 'inner' });
  });
});
