import { setTimeout as sleep } from 'node:timers/promises';
import type { AnySession } from '../adapter.ts';
import { GivenUp } from '../blame.ts';
import { promise } from '../case.ts';
import { failure, holds, refused, same, settlesWithin, underWay } from '../check.ts';
import { callAndOutput, message, messages } from '../items.ts';

const BOUND_MS = 5_000;

/** Every method that a session has, called. */
function everyCall(session: AnySession): (() => Promise<unknown>)[] {
  const calls = [
    () => session.getItems(),
    () => session.getItems(1),
    () => session.getItems(0),
    () => session.addItems([message(0)]),
    () => session.addItems([]),
    () => session.popItem(),
    () => session.clearSession(),
    () => session.getSessionId(),
  ];
  if (session.applyHistoryTransaction) {
    const transaction = { type: 'append_items' as const, items: [message(0)] };
    calls.push(() => session.applyHistoryTransaction!({ operationId: 'a', transaction }));
  }
  if (session.applyHistoryMutations) calls.push(() => session.applyHistoryMutations!({ mutations: [] }));
  if (session.replaceHistoryWithCompaction) calls.push(() => session.replaceHistoryWithCompaction!([]));
  return calls;
}

/** Waits for something that happens soon after a close, elsewhere. */
async function soon(condition: () => boolean, what: string): Promise<void> {
  const until = performance.now() + BOUND_MS;
  while (!condition() && performance.now() < until) await sleep(5);
  holds(condition(), what);
}

export const lifeCycleCases = [
  promise(
    'LIFE-1',
    'a client handed in is never closed',
    async (bench) => {
      const connection = await bench.connect();
      const session = bench.sessionOn(connection);
      await session.addItems([message(0)]);
      await session.close!();
      await session.close!();
      const other = bench.sessionOn(connection, { sessionId: session.sessionId });
      same(await other.getItems(), [message(0)], 'Another session goes on with the client');
      await other[Symbol.asyncDispose]!();
      const third = bench.sessionOn(connection, { sessionId: session.sessionId });
      await third.addItems([message(1)]);
      same(await third.getItems(), messages(0, 2), 'And another one');
    },
    'closing',
  ),

  promise(
    'LIFE-1',
    'a client of its own is closed with the session, and opened by the first call only',
    async (bench) => {
      const proxy = await bench.proxy();
      for (const end of ['close', 'dispose'] as const) {
        const session = bench.own(proxy);
        same(proxy.clients, 0, 'Building a session opens nothing');
        await session.addItems([message(0)]);
        holds(proxy.clients > 0, 'A call does');
        if (end === 'close') await session.close!();
        else await session[Symbol.asyncDispose]!();
        await soon(() => proxy.clients === 0, `The connection is gone after ${end}`);
        await session.close!();
      }
      const unused = bench.own(proxy);
      await unused.close!();
      same(proxy.clients, 0, 'An unused session opens nothing, even to close');
    },
    'wire',
    'closing',
  ),

  promise(
    'LIFE-2',
    'after a close every method rejects with CLOSED',
    async (bench) => {
      const session = await bench.session();
      await session.addItems([message(0)]);
      const closing = session.close!();
      for (const call of everyCall(session)) await refused(call(), 'CLOSED', 'While it closes');
      await closing;
      for (const call of everyCall(session)) await refused(call(), 'CLOSED', 'After it closed');
      same(
        await (await bench.session({ sessionId: session.sessionId })).getItems(),
        [message(0)],
        'The history stays',
      );
    },
    'closing',
  ),

  promise(
    'LIFE-2',
    'calls that wait for their turn are told at once; what is under way is whole',
    async (bench) => {
      const session = await bench.session();
      const other = await bench.elsewhere(session);
      await session.addItems([message(0)]);
      const under = session.addItems(messages(1, 2_000)).then(
        () => 'done',
        () => 'failed',
      );
      const waiting = underWay<unknown>(
        session.addItems([message(5_000)]),
        session.getItems(),
        session.popItem(),
      );
      const closing = session.close!();
      for (const call of waiting) await refused(call, 'CLOSED', 'A call that waited');
      await closing;
      const { length } = await other.getItems();
      const allowed = (await under) === 'done' ? [2_000] : [1, 2_000];
      holds(allowed.includes(length), 'All of the batch or nothing', length);
    },
    'closing',
  ),

  promise(
    'LIFE-2',
    'a close does not wait for a store that hangs',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const session = bench.sessionOn(connection, { timeoutMs: 60_000 });
      await session.addItems([message(0)]);
      proxy.hang();
      const calls = underWay<unknown>(session.getItems(), session.getItems(), session.addItems([message(1)]));
      const closing = session.close!();
      for (const call of calls) {
        await settlesWithin(BOUND_MS, call, 'A call of a closed session');
        await refused(call, 'CLOSED', 'A call of a closed session');
      }
      await settlesWithin(BOUND_MS, closing, 'The close');
      proxy.pass();
    },
    'wire',
    'closing',
  ),

  promise(
    'LIFE-3',
    'what is set up once is tried again after a failure, by all who wait',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const sessionId = bench.freshId();
      const impatient = Array.from({ length: 25 }, () =>
        bench.sessionOn(connection, { sessionId, timeoutMs: 300 }),
      );
      proxy.refuse();
      for (const call of impatient.map((session, at) => session.addItems([message(at)]))) {
        await settlesWithin(BOUND_MS, call, 'A first call');
        await refused(call, ['UNAVAILABLE', 'OUTCOME_UNKNOWN'], 'The store is down');
      }
      proxy.pass();
      const patient = Array.from({ length: 25 }, () =>
        bench.sessionOn(connection, { sessionId: `${sessionId}-2` }),
      );
      await Promise.all(patient.map((session, at) => session.addItems([message(at)])));
      same((await patient[0]!.getItems()).length, 25, 'All 25 first callers are served');
    },
    'wire',
  ),

  promise('LIFE-4', 'a signal that fired before the call keeps it from doing anything', async (bench) => {
    const session = await bench.session();
    const items = callAndOutput('1');
    await session.addItems(items);
    const reason = new GivenUp('given up');
    const signal = AbortSignal.abort(reason);
    const calls: Promise<unknown>[] = [
      session.getItems(undefined, { signal }),
      session.addItems([message(1)], { signal }),
      session.popItem({ signal }),
      session.clearSession({ signal }),
    ];
    if (session.applyHistoryTransaction) {
      const transaction = { type: 'append_items' as const, items: [message(2)] };
      calls.push(session.applyHistoryTransaction({ operationId: 'a', transaction }, { signal }));
    }
    if (session.applyHistoryMutations) {
      const replacement = { ...items[0], arguments: '[]' } as never;
      const mutations = [{ type: 'replace_function_call' as const, callId: '1', replacement }];
      calls.push(session.applyHistoryMutations({ mutations }, { signal }));
    }
    if (session.replaceHistoryWithCompaction) {
      calls.push(session.replaceHistoryWithCompaction([message(3)], { signal }));
    }
    for (const call of calls)
      same(await failure(call, 'The signal had fired'), reason, "The signal's own reason");
    same(await session.getItems(), items, 'Nothing was done');
  }),

  promise(
    'LIFE-4',
    'a signal that fires while a call waits for its turn keeps it from starting',
    async (bench) => {
      const session = await bench.session();
      const controller = new AbortController();
      const { signal } = controller;
      const reason = { any: 'reason' };
      const under = session.addItems(messages(0, 1_000));
      const waiting = underWay<unknown>(
        session.addItems([message(-1)], { signal }),
        session.popItem({ signal }),
      );
      const after = session.addItems([message(1_000)]);
      controller.abort(reason);
      for (const call of waiting)
        same(await failure(call, 'The signal fired'), reason, "The signal's own reason");
      await Promise.all([under, after]);
      same(await session.getItems(), messages(0, 1_001), 'Those before and after took effect');
    },
  ),

  promise(
    'LIFE-4',
    'a signal that fires during a write waits for it, and the write is whole',
    async (bench) => {
      const session = await bench.session();
      const other = await bench.elsewhere(session);
      for (let round = 0; round < 10; round++) {
        await session.clearSession();
        const controller = new AbortController();
        const reason = new GivenUp(`round ${round}`);
        const adding = session.addItems(messages(0, 300), { signal: controller.signal });
        controller.abort(reason);
        same(await failure(adding, 'The signal fired'), reason, "The signal's own reason");
        const { length } = await other.getItems();
        holds(length === 300 || length === 0, 'All or nothing, and settled', length);
        await session.addItems([message(0)]);
        same((await other.getItems()).length, length + 1, 'Nothing lands afterwards');
      }
    },
  ),

  promise(
    'LIFE-4',
    'a signal that fires while the store hangs: once the call has rejected nothing lands any more',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const session = bench.sessionOn(connection);
      await session.addItems([message(0)]);
      const direct = await bench.elsewhere(session);
      const writes = [
        (signal: AbortSignal) => session.addItems([message(1)], { signal }),
        (signal: AbortSignal) => session.popItem({ signal }),
        (signal: AbortSignal) => session.clearSession({ signal }),
      ];
      for (const write of writes) {
        const before = await direct.getItems();
        proxy.hang();
        const controller = new AbortController();
        const reason = new GivenUp('given up');
        let hasRejected = false;
        const writing = failure(write(controller.signal), 'The signal fired').finally(() => {
          hasRejected = true;
        });
        await sleep(50);
        controller.abort(reason);
        await sleep(50);
        // A call that had sent nothing yet may end at once.
        const final = hasRejected ? before : undefined;
        proxy.pass();
        same(await writing, reason, "The signal's own reason");
        const found = await direct.getItems();
        await session.getItems();
        same(await direct.getItems(), final ?? found, 'As it was when the call rejected');
        await session.addItems([message(0)]);
      }
    },
    'wire',
  ),

  promise(
    'LIFE-4',
    "the signal's reason wins over the write's own failure",
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const warm = bench.sessionOn(connection);
      await warm.addItems([message(0)]);
      const session = bench.sessionOn(connection, { sessionId: warm.sessionId, timeoutMs: 400 });
      proxy.hang();
      const controller = new AbortController();
      const reason = new GivenUp('first');
      const [adding] = underWay(session.addItems([message(1)], { signal: controller.signal })) as [
        Promise<unknown>,
      ];
      await sleep(50);
      controller.abort(reason);
      controller.abort(new GivenUp('second'));
      await settlesWithin(BOUND_MS, adding, 'The write');
      same(await failure(adding, 'The store hangs'), reason, 'The first reason');
      proxy.pass();
    },
    'wire',
  ),

  promise('LIFE-4', 'a signal that fires after the call changes nothing', async (bench) => {
    const session = await bench.session();
    const controller = new AbortController();
    await session.addItems([message(0)], { signal: controller.signal });
    const read = await session.getItems(undefined, { signal: controller.signal });
    controller.abort(new GivenUp('too late'));
    same(read, [message(0)], 'The result');
    same(await session.getItems(), [message(0)], 'The history');
  }),
];
