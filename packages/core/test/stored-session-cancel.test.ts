import { describe, expect, it } from 'vitest';
import { SessionError } from '../src/index.ts';
import type { SessionCallOptions } from '../src/session.ts';
import type { HistoryRead } from '../src/store/history-store.ts';
import { StoredSession } from '../src/store/stored-session.ts';
import { behind, fail, hang } from './support/scripted-store.ts';
import { contentOf, isSettled, m, open, rejectionOf, rowsOf, settle } from './support/sessions.ts';

type Opened = ReturnType<typeof open>['session'];

const call = (callId: string) => ({ type: 'function_call', callId, name: 'f', arguments: '{}' });

const WRITES: Record<string, (session: Opened, options: SessionCallOptions) => Promise<unknown>> = {
  addItems: (session, options) => session.addItems([m(1)], options),
  popItem: (session, options) => session.popItem(options),
  clearSession: (session, options) => session.clearSession(options),
  replaceHistoryWithCompaction: (session, options) => session.replaceHistoryWithCompaction([m(1)], options),
  'applyHistoryTransaction, appending': (session, options) =>
    session.applyHistoryTransaction(
      { operationId: 'op', transaction: { type: 'append_items', items: [m(1)] } },
      options,
    ),
  'applyHistoryTransaction, replacing': (session, options) =>
    session.applyHistoryTransaction(
      {
        operationId: 'op',
        transaction: { type: 'replace_suffix', expectedSuffix: [call('c')], replacement: [m(1)] },
      },
      options,
    ),
  applyHistoryMutations: (session, options) =>
    session.applyHistoryMutations(
      {
        mutations: [
          { type: 'replace_function_call', callId: 'c', replacement: { ...call('c'), name: 'g' } as never },
        ],
      },
      options,
    ),
};

const ALL: typeof WRITES = {
  ...WRITES,
  getItems: (session, options) => session.getItems(undefined, options),
  'getItems(0)': (session, options) => session.getItems(0, options),
  'addItems([])': (session, options) => session.addItems([], options),
};

function started() {
  const opened = open();
  opened.store.records = rowsOf(call('c'));
  return { ...opened, cancellation: new AbortController(), reason: new Error('given up') };
}

describe('a signal that fired before the call', () => {
  it.each(Object.entries(ALL))('LIFE-4 keeps %s from doing anything', async (_, act) => {
    const { session, store, reason } = started();
    expect(await rejectionOf(act(session, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(store.calls).toBe(0);
  });

  it('LIFE-4 comes before a complaint about the arguments', async () => {
    const { session, reason } = started();
    const signal = AbortSignal.abort(reason);
    expect(await rejectionOf(session.addItems([() => 1], { signal }))).toBe(reason);
    expect(await rejectionOf(session.getItems(Number.NaN, { signal }))).toBe(reason);
  });
});

describe('a signal that fires while the call waits for its turn', () => {
  it.each(Object.entries(ALL).filter(([name]) => !/\((0|\[\])\)/.test(name)))(
    'LIFE-4 ends %s at once, and it is never started',
    async (_, act) => {
      const { session, store, cancellation, reason } = started();
      const gate = Promise.withResolvers<void>();
      store.onCommit(behind(gate.promise));
      const first = session.addItems([m(0)]);
      const waiting = rejectionOf(act(session, { signal: cancellation.signal }));
      cancellation.abort(reason);
      expect(await waiting).toBe(reason);
      gate.resolve();
      await first;
      await settle();
      expect(store.calls).toBe(1);
    },
  );
});

describe('a signal that fires during a write', () => {
  /** Starts the call, lets it come to its commit, and holds that there. */
  async function underWay(act: (session: Opened, options: SessionCallOptions) => Promise<unknown>) {
    const context = started();
    const { session, store, cancellation, reason } = context;
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const hold = async () => {
      reached.resolve();
      await gate.promise;
    };
    return {
      ...context,
      gate,
      async start(outcome: 'applied' | 'failed') {
        store.onCommit(async (apply) => {
          await hold();
          if (outcome === 'failed') throw new SessionError('ACCESS_DENIED');
          return apply();
        });
        const calling = act(session, { signal: cancellation.signal });
        await reached.promise;
        cancellation.abort(reason);
        return calling;
      },
    };
  }

  it.each(Object.entries(WRITES))(
    'LIFE-4 lets the write of %s settle, then comes through',
    async (_, act) => {
      const { store, gate, reason, start } = await underWay(act);
      const calling = start('applied');
      const rejection = rejectionOf(calling);
      expect(await isSettled(calling)).toBe(false);
      gate.resolve();
      expect(await rejection).toBe(reason);
      // Whole, never half: the one change was applied.
      expect(store.changes).toHaveLength(1);
      expect(store.records).not.toEqual(rowsOf(call('c')));
    },
  );

  it.each(Object.entries(WRITES))('LIFE-4 comes through also when the write of %s failed', async (_, act) => {
    const { store, gate, reason, start } = await underWay(act);
    const calling = start('failed');
    const rejection = rejectionOf(calling);
    expect(await isSettled(calling)).toBe(false);
    gate.resolve();
    expect(await rejection).toBe(reason);
    expect(store.changes).toHaveLength(1);
    expect(store.records).toEqual(rowsOf(call('c')));
  });

  it('LIFE-4 lets the next call start only when the write has settled', async () => {
    const { session, store, gate, start } = await underWay(WRITES.addItems!);
    const rejection = rejectionOf(start('applied'));
    const reading = session.getItems();
    await settle();
    expect(store.calls).toBe(1);
    gate.resolve();
    await rejection;
    expect(await reading).toEqual([call('c'), m(1)]);
  });

  it('LIFE-4 FLT-1 waits for a write whose reply was lost to be settled', async () => {
    const { session, store, cancellation, reason } = started();
    store.onCommit((apply) => {
      apply();
      cancellation.abort(reason);
      throw new SessionError('OUTCOME_UNKNOWN');
    });
    expect(await rejectionOf(session.addItems([m(1)], { signal: cancellation.signal }))).toBe(reason);
    expect(contentOf(store)).toEqual([call('c'), m(1)]);
    expect(new Set(store.changes.map(({ id }) => id)).size).toBe(1);
  });

  it('LIFE-4 FLT-2 waits no longer than the call may take', async () => {
    const { session, store } = open({ timeoutMs: 50 });
    const cancellation = new AbortController();
    store.onCommit(hang);
    const writing = rejectionOf(session.addItems([m(1)], { signal: cancellation.signal }));
    const began = performance.now();
    cancellation.abort('given up');
    expect(await writing).toBe('given up');
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('LIFE-4 keeps a pop from going on past a damaged record', async () => {
    const { session, store, cancellation, reason } = started();
    store.records = [...rowsOf(m(1)), '{damaged'];
    store.onCommit((apply) => {
      cancellation.abort(reason);
      return apply();
    });
    expect(await rejectionOf(session.popItem({ signal: cancellation.signal }))).toBe(reason);
    expect(contentOf(store)).toEqual([m(1)]);
  });
});

describe('a signal that fires during a read', () => {
  it.each(['getItems', 'applyHistoryTransaction, replacing', 'applyHistoryMutations'] as const)(
    'LIFE-4 ends %s at once, and nothing is written',
    async (name) => {
      const { session, store, cancellation, reason } = started();
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      store.onRead(async (read) => {
        reached.resolve();
        await gate.promise;
        return read();
      });
      const calling = rejectionOf(ALL[name]!(session, { signal: cancellation.signal }));
      await reached.promise;
      cancellation.abort(reason);
      expect(await calling).toBe(reason);
      gate.resolve();
      await settle();
      expect(store.changes).toEqual([]);
    },
  );

  it('LIFE-4 comes through from a rewrite, though the reason looks like a conflict', async () => {
    const { session, store, cancellation } = started();
    const reason = new SessionError('CONFLICT');
    store.onCommit((apply) => {
      cancellation.abort(reason);
      return apply();
    });
    const rewriting = WRITES.applyHistoryMutations!(session, { signal: cancellation.signal });
    expect(await rejectionOf(rewriting)).toBe(reason);
    expect(store.changes).toHaveLength(1);
  });

  it('LIFE-4 ends the pause before another attempt', async () => {
    const { session, store, cancellation, reason } = started();
    store.everyRead = fail(new SessionError('UNAVAILABLE'));
    const reading = rejectionOf(session.getItems(1, { signal: cancellation.signal }));
    await settle();
    cancellation.abort(reason);
    expect(await reading).toBe(reason);
  });

  it('LIFE-4 lets the session be used at once', async () => {
    const { session, store, cancellation, reason } = started();
    store.onRead(hang);
    const reading = rejectionOf(session.getItems(1, { signal: cancellation.signal }));
    const adding = session.addItems([m(1)]);
    cancellation.abort(reason);
    expect(await reading).toBe(reason);
    await adding;
    expect(contentOf(store)).toEqual([call('c'), m(1)]);
  });
});

describe("the signal's reason", () => {
  it.each([new Error('given up'), 'a string', 0, null, new SessionError('CONFLICT'), { any: 'thing' }])(
    'LIFE-4 comes through as it is: %s',
    async (reason) => {
      const { session, store, cancellation } = started();
      expect(await rejectionOf(session.getItems(1, { signal: AbortSignal.abort(reason) }))).toBe(reason);
      store.onRead(hang);
      const reading = rejectionOf(session.getItems(1, { signal: cancellation.signal }));
      cancellation.abort(reason);
      expect(await reading).toBe(reason);
      const writing = new AbortController();
      store.onCommit((apply) => {
        writing.abort(reason);
        return apply();
      });
      expect(await rejectionOf(session.addItems([m(1)], { signal: writing.signal }))).toBe(reason);
    },
  );

  it('LIFE-4 that fires after the call changes nothing', async () => {
    const { session, cancellation, reason } = started();
    const items = await session.getItems(undefined, { signal: cancellation.signal });
    await session.addItems([m(1)], { signal: cancellation.signal });
    cancellation.abort(reason);
    await settle();
    expect(items).toEqual([call('c')]);
    expect(await session.getItems()).toEqual([call('c'), m(1)]);
  });

  it('LIFE-4 leaves no listener behind on a signal that is used for many calls', async () => {
    const { session, cancellation } = started();
    const { signal } = cancellation;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    for (let round = 0; round < 5; round++) await session.addItems([m(round)], { signal });
    await rejectionOf(session.addItems([() => 1], { signal }));
    expect(listeners).toBe(0);
  });
});

it('a read that is given up is ended in the store, which sends nothing more for it', async () => {
  for (const give of ['signal', 'close'] as const) {
    let signal: AbortSignal | undefined;
    const cancellation = new AbortController();
    const session = new StoredSession({
      adapter: 'test',
      sessionId: 'a',
      open: () => ({
        async read(_query, call) {
          signal = call.signal;
          return new Promise<HistoryRead>(() => {});
        },
        commit: async () => ({}),
      }),
    });
    const reading = rejectionOf(session.getItems(1, { signal: cancellation.signal }));
    await settle();
    expect(signal!.aborted).toBe(false);
    if (give === 'signal') cancellation.abort();
    else await session.close();
    await reading;
    expect(signal!.aborted).toBe(true);
  }
});
