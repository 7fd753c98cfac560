import { setTimeout as sleep } from 'node:timers/promises';
import type { AnySession } from '../adapter.ts';
import type { Bench } from '../bench.ts';
import { type ConformanceCase, promise } from '../case.ts';
import { holds, refused, same, settlesWithin, underWay } from '../check.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { message, messages } from '../items.ts';
import { copy } from '../own-realm.ts';
import { withEitherDriver } from './either-driver.ts';
import { vanishAfter } from './vanish-after.ts';

const SHORT_MS = 400;

/** How long a store refuses writes that takes them again, in milliseconds. */
const THROTTLED_MS = 600;

/** Far more than with pauses that grow, and far fewer than without. */
const MOST_TRIES = 60;

/** Enough for a call of `SHORT_MS` on a machine that is busy with something else. */
const BOUND_MS = 5_000;

interface Broken {
  readonly proxy: FaultProxy;
  /** Goes through the proxy, for as long as was asked for. */
  readonly session: AnySession;
  /** The same session on the same connection, with all the time that it takes. */
  readonly patient: AnySession;
  /** The same session, past the proxy. */
  readonly direct: AnySession;
}

/** A session with three items, and a warm connection that can be broken. */
async function breakable(bench: Bench, timeoutMs?: number): Promise<Broken> {
  const { proxy, connection } = await bench.proxied();
  const patient = bench.sessionOn(connection);
  const { sessionId } = patient;
  await patient.addItems(messages(0, 3));
  await patient.popItem();
  await patient.addItems([message(2)]);
  const session = bench.sessionOn(connection, { sessionId, timeoutMs });
  // What an adapter may have to look up before it writes, it has looked up.
  await session.getItems();
  return { proxy, session, patient, direct: await bench.elsewhere(session) };
}

/** The history is one of those that the outcomes of some writes allow. */
function isOneOf(found: unknown[], allowed: readonly unknown[][], what: string): void {
  holds(
    allowed.some((wanted) => JSON.stringify(wanted) === JSON.stringify(found)),
    what,
    found,
  );
}

/** Each write, what it returns, and what it leaves of `m0 m1 m2`. */
const WRITES: readonly {
  name: string;
  call(session: AnySession): Promise<unknown>;
  returns?: unknown;
  after: unknown[];
}[] = [
  { name: 'addItems', call: (session) => session.addItems(messages(3, 6)), after: messages(0, 6) },
  { name: 'popItem', call: (session) => session.popItem(), returns: message(2), after: messages(0, 2) },
  { name: 'clearSession', call: (session) => session.clearSession(), after: [] },
];

/** More replies than any write waits for before it is known whether it was applied. */
const MOST_REPLIES = 4;

/** What is known of a write after its call. */
type Outcome = 'DONE' | 'UNAVAILABLE' | 'OUTCOME_UNKNOWN';

async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  try {
    await call;
    return 'DONE';
  } catch (error) {
    const codes = ['UNAVAILABLE', 'OUTCOME_UNKNOWN'] as const;
    const { code } = await refused(Promise.reject(error), codes, 'The store vanished for good in the middle');
    return code as Outcome;
  }
}

/** Whether a promise has settled by now. */
async function settled(promised: Promise<void>): Promise<boolean> {
  return Promise.race([promised.then(() => true), new Promise<false>((no) => setImmediate(no, false))]);
}

const TRANSACTION = {
  operationId: 'op',
  transaction: { type: 'replace_suffix', expectedSuffix: [message(2)], replacement: messages(3, 5) },
} as const;

/** What an adapter does may depend on whether its client sends again by itself. */
const eitherWay: readonly ConformanceCase[] = [
  ...WRITES.flatMap(({ name, call, returns, after }) => [
    promise(
      'FLT-1',
      `${name}: a reply lost after the store applied it is found again, and nothing is done twice`,
      async (bench) => {
        const { proxy, session, direct } = await breakable(bench);
        const lost = proxy.loseNextReply();
        same(await call(session), returns, 'The call succeeds');
        await settlesWithin(BOUND_MS, lost, 'The reply was lost');
        same(await direct.getItems(), after, 'Applied once');
        same(await session.getItems(), after, 'The same instance goes on');
      },
      'wire',
    ),
    promise(
      'FLT-1',
      `${name}: a request lost on the way is sent again`,
      async (bench) => {
        const { proxy, session, direct } = await breakable(bench);
        const lost = proxy.loseNextRequest();
        same(await call(session), returns, 'The call succeeds');
        await settlesWithin(BOUND_MS, lost, 'The request was lost');
        same(await direct.getItems(), after, 'Applied once');
      },
      'wire',
    ),
    promise(
      'FLT-1',
      `${name}: where the outcome stays unknown the error says so, and it is never applied twice`,
      async (bench) => {
        const outcomes: Outcome[] = [];
        for (let before = 0; before < MOST_REPLIES; before++) {
          const { proxy, session, patient, direct } = await breakable(bench, SHORT_MS);
          const calling = outcomeOf(call(session));
          await vanishAfter(proxy, before, calling, BOUND_MS);
          const outcome = await calling;
          outcomes.push(outcome);
          const allowed = {
            DONE: [after],
            UNAVAILABLE: [messages(0, 3)],
            OUTCOME_UNKNOWN: [messages(0, 3), after],
          };
          const found = await direct.getItems();
          isOneOf(found, allowed[outcome], `The store vanished with reply ${before + 1}: ${outcome}`);
          proxy.pass();
          same(await patient.getItems(), found, 'And still so, when the client is back');
          same(await session.getItems(), found, 'The same instance can be used again');
        }
        holds(
          outcomes.includes('OUTCOME_UNKNOWN'),
          'It is unknown where the reply to the write is lost',
          outcomes,
        );
      },
      'wire',
    ),
  ]),

  promise(
    'FLT-1',
    'a lost pop gives its item, though it is a large one, whichever reply is lost',
    async (bench) => {
      const { proxy, session, direct } = await breakable(bench);
      for (let before = 0; before < 4; before++) {
        const large = { content: 'é'.repeat(30_000), before };
        await session.addItems([large]);
        const lost = proxy.loseNextReply(before);
        same(await session.popItem(), large, `The item, though reply ${before + 1} is lost`);
        same(await direct.getItems(), messages(0, 3), 'Popped once');
        // An adapter that needs fewer replies loses the one to this.
        while (!(await settled(lost)))
          same(await session.getItems(), messages(0, 3), 'The same instance goes on');
      }
    },
    'wire',
  ),

  promise(
    'FLT-1',
    'an append that is resent does not bring back what was cleared meanwhile',
    async (bench) => {
      const { proxy, session, direct } = await breakable(bench);
      const lost = proxy.loseNextReply();
      const adding = session.addItems([message(3)]);
      await settlesWithin(BOUND_MS, lost, 'The reply was lost');
      proxy.refuse();
      await direct.clearSession();
      proxy.pass();
      await adding;
      same(await direct.getItems(), [], 'The clear came after the append, and holds');
    },
    'wire',
  ),

  promise(
    'FLT-1',
    '40 appends whose replies are lost together are each applied once',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const sessionId = bench.freshId();
      const writers = Array.from({ length: 40 }, () => bench.sessionOn(connection, { sessionId }));
      await writers[0]!.addItems([message(0)]);
      const lost = proxy.loseNextReply();
      await Promise.all(writers.map((writer, at) => writer.addItems([message(at + 1)])));
      await settlesWithin(BOUND_MS, lost, 'The replies were lost');
      const found = (await writers[0]!.getItems()) as { content: string }[];
      const contents = found.map(({ content }) => content).sort();
      same(
        contents,
        messages(0, 41)
          .map(({ content }) => content)
          .sort(),
        'Each item once',
      );
    },
    'wire',
  ),

  promise(
    'FLT-1',
    'a transaction whose reply is lost is applied once',
    async (bench) => {
      const { proxy, session, direct } = await breakable(bench);
      await direct.getItems();
      const lost = proxy.loseNextReply();
      await session.applyHistoryTransaction!(copy(TRANSACTION) as never);
      await settlesWithin(BOUND_MS, lost, 'A reply was lost');
      same(await direct.getItems(), [...messages(0, 2), ...messages(3, 5)], 'Applied once');
    },
    'wire',
    'transactions',
  ),

  promise(
    'FLT-2',
    'a store that is down makes each call reject in time, and what is reported as not done is not done',
    async (bench) => {
      for (const { name, call, after } of WRITES) {
        const { proxy, session, patient, direct } = await breakable(bench, SHORT_MS);
        proxy.refuse();
        const writing = call(session);
        await settlesWithin(BOUND_MS, writing, name);
        const { code } = await refused(writing, ['UNAVAILABLE', 'OUTCOME_UNKNOWN'], 'The store is down');
        const reading = session.getItems();
        await settlesWithin(BOUND_MS, reading, 'A read');
        await refused(reading, 'UNAVAILABLE', 'A read changes nothing, so its outcome is known');
        proxy.pass();
        const allowed = code === 'UNAVAILABLE' ? [messages(0, 3)] : [messages(0, 3), after];
        isOneOf(await patient.getItems(), allowed, `${name} was reported as ${code}`);
        isOneOf(await session.getItems(), allowed, 'The same instance can be used again');
        isOneOf(await direct.getItems(), allowed, 'From elsewhere too');
      }
    },
    'wire',
  ),

  promise(
    'FLT-2',
    'a store that hangs makes each call reject in time; a write that may still happen says so',
    async (bench) => {
      const { proxy, session, patient, direct } = await breakable(bench, SHORT_MS);
      proxy.hang();
      const read = session.getItems();
      await settlesWithin(BOUND_MS, read, 'A read');
      await refused(read, 'UNAVAILABLE', 'A read changes nothing');
      const waiting = underWay<unknown>(
        session.addItems([message(3)]),
        session.getItems(),
        session.popItem(),
      );
      for (const call of waiting) await settlesWithin(BOUND_MS, call, 'A call, or one that waits behind it');
      // It has not been sent by a client that gave up the connection of the read, and finds that a new one hangs too.
      const either = ['UNAVAILABLE', 'OUTCOME_UNKNOWN'] as const;
      const { code } = await refused(waiting[0]!, either, 'The write may have been sent');
      // The turn of those behind it may come in the last moment of their own time.
      for (const call of waiting.slice(1)) await refused(call, either, 'Behind it');
      proxy.pass();
      const allowed = [messages(0, 3), messages(0, 2), ...(code === 'UNAVAILABLE' ? [] : [messages(0, 4)])];
      isOneOf(await patient.getItems(), allowed, 'Once or not at all');
      isOneOf(await session.getItems(), allowed, 'The same instance can be used again');
      isOneOf(await direct.getItems(), allowed, 'From elsewhere too');
    },
    'wire',
  ),

  promise(
    'FLT-3',
    'of a batch whose writer is cut off in the middle there is all or nothing',
    async (bench) => {
      for (const count of [2, 100, 5_000]) {
        const { proxy, session, direct } = await breakable(bench, SHORT_MS);
        const cut = proxy.cutNextRequest();
        const adding = session.addItems(messages(3, 3 + count)).catch(() => undefined);
        await settlesWithin(BOUND_MS, cut, 'The request was cut');
        proxy.refuse();
        await adding;
        const { length } = await direct.getItems();
        holds(length === 3 || length === 3 + count, `All ${count} or none`, length - 3);
        await direct.addItems([message(0)]);
        same((await direct.getItems()).length, length + 1, 'The next process can use the session at once');
      }
    },
    'wire',
  ),

  promise(
    'FLT-3',
    'of a batch there is all or nothing, whichever request is the last that the writer sent',
    async (bench) => {
      for (let before = 0; before < 4; before++) {
        const { proxy, session, direct } = await breakable(bench, SHORT_MS);
        await vanishAfter(proxy, before, session.addItems(messages(3, 203)), BOUND_MS);
        const { length } = await direct.getItems();
        holds(length === 3 || length === 203, `All or none, after request ${before + 1}`, length - 3);
        await direct.addItems([message(0)]);
        same((await direct.getItems()).length, length + 1, 'The next process can use the session at once');
      }
    },
    'wire',
  ),

  promise(
    'FLT-4',
    'after a reconnect the same instance goes on',
    async (bench) => {
      const { proxy, session } = await breakable(bench);
      for (let round = 0; round < 5; round++) {
        proxy.drop();
        await session.addItems([message(3 + round)]);
        same(await session.getItems(), messages(0, 4 + round), `After drop ${round + 1}`);
      }
      proxy.refuse();
      const adding = session.addItems([message(8)]);
      proxy.pass();
      await adding;
      same(await session.getItems(), messages(0, 9), 'After a short absence too');
    },
    'wire',
  ),
];

export const faultCases: ConformanceCase[] = [
  ...eitherWay.flatMap(withEitherDriver),

  promise(
    'FLT-2',
    'a store that was down from the start rejects in time, and is used as soon as it is there',
    async (bench) => {
      const proxy = await bench.proxy();
      proxy.refuse();
      const session = bench.own(proxy, { timeoutMs: SHORT_MS });
      for (const { call } of WRITES) {
        const calling = call(session);
        await settlesWithin(BOUND_MS, calling, 'The call');
        await refused(calling, 'UNAVAILABLE', 'Nothing can have reached the store');
      }
      proxy.pass();
      const patient = bench.own(proxy, { sessionId: session.sessionId });
      same(await patient.getItems(), [], 'Nothing lands later');
      await patient.addItems([message(0)]);
      same(await patient.getItems(), [message(0)], 'It works');
    },
    'wire',
  ),

  promise(
    'FLT-5',
    'what the store refuses for a while is tried again, with pauses, in the order of the calls',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const session = bench.sessionOn(connection);
      await session.addItems([message(0)]);
      const before = proxy.sent;
      await session.addItems([message(1)]);
      const once = proxy.sent - before;
      await bench.throttle(true);
      const calls = [2, 3, 4].map((at) => session.addItems([message(at)]));
      const popping = session.popItem();
      await sleep(THROTTLED_MS);
      const tries = (proxy.sent - before) / once;
      await bench.throttle(false);
      for (const call of calls) await settlesWithin(BOUND_MS, call, 'A call that had to wait');
      await Promise.all(calls);
      same(await popping, message(4), 'The newest of them');
      same(await session.getItems(), messages(0, 4), 'All that was refused, in order');
      holds(tries < MOST_TRIES, `Fewer than ${MOST_TRIES} tries in ${THROTTLED_MS} ms`, tries);
    },
    'wire',
    'throttle',
  ),

  promise(
    'FLT-5',
    'what the store goes on refusing is given up in time, and is not done later',
    async (bench) => {
      const { session, patient, direct } = await breakable(bench, SHORT_MS);
      await bench.throttle(true);
      for (const { name, call } of WRITES) {
        const calling = call(session);
        await settlesWithin(BOUND_MS, calling, name);
        await refused(calling, 'UNAVAILABLE', `${name}: the store has said no each time`);
      }
      await bench.throttle(false);
      same(await patient.getItems(), messages(0, 3), 'Nothing was done');
      await session.addItems([message(3)]);
      same(await direct.getItems(), messages(0, 4), 'The same instance goes on');
    },
    'wire',
    'throttle',
  ),
];
