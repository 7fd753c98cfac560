import { describe, expect, test } from 'vitest';
import { startMemoryAdapter } from '../../packages/memory/test/adapter.ts';
import type { AnySession, ConformanceAdapter } from '../src/index.ts';
import { raceCases } from '../src/races/race-cases.ts';
import { runCase } from '../src/run.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A session that does as another one, but for what is given. */
function like(session: AnySession, other: Partial<AnySession>): AnySession {
  return {
    sessionId: session.sessionId,
    getSessionId: () => session.getSessionId(),
    getItems: (limit) => session.getItems(limit),
    addItems: (items) => session.addItems(items),
    popItem: () => session.popItem(),
    clearSession: () => session.clearSession(),
    applyHistoryTransaction: (args) => session.applyHistoryTransaction!(args),
    close: () => session.close!(),
    [Symbol.asyncDispose]: () => session.close!(),
    ...other,
  };
}

/** A clock that a busy machine does not change: a millisecond each time somebody looks. */
const clock = { ms: 0, now: () => clock.ms++ };

/** What is done wrong, each a mistake that works as long as nobody else is there. */
const MISTAKES: Record<string, (session: AnySession) => Partial<AnySession>> = {
  'a pop that reads and then deletes': (session) => ({
    async popItem() {
      const [item] = await session.getItems(1);
      await nextTurn();
      await session.popItem();
      return item;
    },
  }),
  'an add that reads the list and writes it anew': (session) => ({
    async addItems(items) {
      const all = await session.getItems();
      await nextTurn();
      await session.replaceHistoryWithCompaction!([...all, ...items]);
    },
  }),
  'a batch that is added in two parts': (session) => ({
    async addItems(items) {
      const half = items.length >> 1;
      if (half > 0) await session.addItems(items.slice(0, half));
      await nextTurn();
      await session.addItems(items.slice(half));
    },
  }),
  'a read from a cache that is up to 5 ms old': (session) => {
    let cache: { items: unknown[]; until: number } | undefined;
    const forgetting = <TArgs extends unknown[], T>(write: (...args: TArgs) => Promise<T>) => {
      return async (...args: TArgs) => {
        const result = await write(...args);
        cache = undefined;
        return result;
      };
    };
    return {
      async getItems(limit) {
        if (!cache || clock.now() > cache.until)
          cache = { items: await session.getItems(), until: clock.now() + 5 };
        return limit === undefined ? cache.items : cache.items.slice(-limit);
      },
      addItems: forgetting((items) => session.addItems(items)),
      popItem: forgetting(() => session.popItem()),
      clearSession: forgetting(() => session.clearSession()),
    };
  },
  'a clear that pops until nothing is left': (session) => ({
    async clearSession() {
      while ((await session.popItem()) !== undefined) await nextTurn();
    },
  }),
  'a transaction that forgets its id': (session) => ({
    async applyHistoryTransaction(args) {
      await session.applyHistoryTransaction!({ ...args, operationId: crypto.randomUUID() });
    },
  }),
  'a suffix that is compared before it is replaced': (session) => ({
    async applyHistoryTransaction({ operationId, transaction }) {
      if (transaction.type === 'append_items')
        return session.applyHistoryTransaction!({ operationId, transaction });
      const { expectedSuffix, replacement } = transaction;
      await session.applyHistoryTransaction!({
        operationId,
        transaction: { ...transaction, replacement: expectedSuffix },
      });
      await nextTurn();
      for (const _ of expectedSuffix) await session.popItem();
      await session.addItems(replacement);
    },
  }),
  'an add that returns before it is done': (session) => ({
    async addItems(items) {
      const adding = nextTurn().then(() => session.addItems(items));
      adding.catch(() => undefined);
    },
  }),
  'a read whose limit gives the oldest': (session) => ({
    getItems: async (limit) => (await session.getItems()).slice(0, limit),
  }),
};

/** The adapter, whose sessions have a mistake. */
function mistaken(
  adapter: ConformanceAdapter,
  mistake: (session: AnySession) => Partial<AnySession>,
): ConformanceAdapter {
  return {
    ...adapter,
    async open() {
      const connection = await adapter.open();
      return {
        session(request) {
          const session = connection.session(request);
          return like(session, mistake(session));
        },
        close: () => connection.close(),
      };
    },
  };
}

describe('in memory', () => {
  for (const tried of raceCases()) {
    test(`${tried.clause} ${tried.title}`, async (context) => {
      const { adapter } = await startMemoryAdapter();
      const result = await runCase(adapter, tried);
      if (result.status === 'not applicable') context.skip(result.reason);
      expect(result).toMatchObject({ status: 'passed' });
    });
  }
});

describe('a race shows', () => {
  const [clients] = raceCases();
  test.each(Object.entries(MISTAKES))('%s', async (_, mistake) => {
    const { adapter } = await startMemoryAdapter();
    const result = await runCase(mistaken(adapter, mistake), clients!);
    expect(result).toMatchObject({
      status: 'failed',
      reason: 'No one order explains what these calls returned',
      actual: expect.stringContaining('<- no order explains this') as string,
      replay: expect.stringMatching(/--clause ORD-1 --title ".*" --seed \d+$/) as string,
    });
    // The same calls, if not at the same moments: beginning with the race that failed, one fails again.
    const [again] = raceCases({ seed: result.seed });
    expect(await runCase(mistaken(adapter, mistake), again!)).toMatchObject({ status: 'failed' });
    if (process.env.SHOW) console.log(result.actual);
  });

  test('nothing where a session does as another one', async () => {
    const { adapter } = await startMemoryAdapter();
    expect(
      await runCase(
        mistaken(adapter, () => ({})),
        clients!,
      ),
    ).toMatchObject({ status: 'passed' });
  });
});
