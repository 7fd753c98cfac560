import type { AnySession } from '../adapter.ts';
import type { Bench } from '../bench.ts';
import { type ConformanceCase, promise } from '../case.ts';
import { ClauseBroken, settlesWithin } from '../check.ts';
import type { Clause } from '../clauses.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { message } from '../items.ts';
import { Random } from '../races/random.ts';
import { withEitherDriver } from './either-driver.ts';
import { callsOf, type TriedCall } from './every-call.ts';
import { historiesAfter, historyFrom, outcomeOf } from './every-outcome.ts';

interface FaultMatrixOptions {
  /** Of the faults by chance: the same seed gives the same. */
  readonly seed?: number | undefined;
  /** Many more faults by chance. */
  readonly soak?: boolean | undefined;
}

/** What breaks. */
interface Fault {
  readonly clause: Clause;
  /** What happens, after "every call, when …". */
  readonly when: string;
  /**
   * Breaks it, and resolves when that has met something.
   *
   * @param before - how many requests or replies pass before that, where it meets one
   */
  strike(proxy: FaultProxy, before: number): Promise<void> | void;
}

/** What meets one request or reply, after which the store is there again. */
const MEETING_ONE: readonly Fault[] = [
  {
    clause: 'FLT-1',
    when: 'a request is lost',
    strike: (proxy, before) => proxy.loseNextRequest(before),
  },
  {
    clause: 'FLT-1',
    when: 'a request is cut off in the middle',
    strike: (proxy, before) => proxy.cutNextRequest(before),
  },
  {
    clause: 'FLT-1',
    when: 'a reply is lost',
    strike: (proxy, before) => proxy.loseNextReply(before),
  },
  {
    clause: 'FLT-1',
    when: 'a reply is cut off in the middle',
    strike: (proxy, before) => proxy.cutNextReply(before),
  },
];

/** How long the store is away for a moment, and how much is a little late, in milliseconds. */
const MOMENT_MS = 50;

const PASSING: readonly Fault[] = [
  ...MEETING_ONE,
  { clause: 'FLT-1', when: 'everything is a little late', strike: (proxy) => proxy.delay(MOMENT_MS) },
  {
    clause: 'FLT-4',
    when: 'the store is away for a moment',
    strike(proxy) {
      proxy.refuse();
      setTimeout(() => proxy.pass(), MOMENT_MS);
    },
  },
];

/** The time of a call that a lasting fault outlasts, in milliseconds. */
const SHORT_MS = 500;

/** What lasts until the call has failed. */
const LASTING: readonly Fault[] = [
  { clause: 'FLT-2', when: 'the store is down', strike: (proxy) => proxy.refuse() },
  { clause: 'FLT-2', when: 'the store hangs', strike: (proxy) => proxy.hang() },
  {
    clause: 'FLT-2',
    when: 'the store hangs from a request on',
    strike: (proxy, before) => proxy.holdNextRequest(before),
  },
  {
    clause: 'FLT-2',
    when: 'the store hangs from a reply on',
    strike: (proxy, before) => proxy.holdNextReply(before),
  },
  {
    clause: 'FLT-2',
    when: 'everything arrives after its time',
    strike: (proxy) => proxy.delay(SHORT_MS * 1.5),
  },
  ...MEETING_ONE.map(({ clause, when, strike }) => ({
    clause,
    when: `${when} and there is no way back`,
    strike: async (proxy: FaultProxy, before: number) => {
      await strike(proxy, before);
      proxy.refuse();
    },
  })),
];

/** Enough for any call here on a machine that is busy with something else, in milliseconds. */
const BOUND_MS = 15_000;
const SHORT_BOUND_MS = 5_000;

/** How long something may take that lands though it should not. */
const STRAY_MS = 50;

/** How often every call meets a fault by chance. */
const CHANCES = 3;
const SOAK_CHANCES = 100;
const SOAK_TIMEOUT_MS = 600_000;

/** Every call under every fault: each is done once, or not at all, as it said of itself. */
export function faultMatrixCases({ seed = 1, soak = false }: FaultMatrixOptions = {}): ConformanceCase[] {
  const passing = PASSING.map((fault) =>
    promise(
      fault.clause,
      `every call, when ${fault.when}, succeeds, and is done once`,
      (bench) => everyCall(bench, (call) => tryUnder(bench, call, fault)),
      'wire',
    ),
  );
  const lasting = LASTING.map((fault) =>
    promise(
      fault.clause,
      `every call, when ${fault.when}, is in time done once or not at all, as it says`,
      (bench) => everyCall(bench, (call) => tryUnder(bench, call, fault)),
      'wire',
    ),
  );
  const byNumber = promise(
    'FLT-1',
    'every call, when its second or third request or reply is lost or cut off, succeeds, and is done once',
    async (bench) => {
      const tried = MEETING_ONE.flatMap((fault) => [1, 2].map((before) => ({ fault, before })));
      await Promise.all(
        tried.map(({ fault, before }) => everyCall(bench, (call) => tryUnder(bench, call, fault, before))),
      );
    },
    'wire',
  );
  const byChance: ConformanceCase = {
    ...promise(
      'FLT-1',
      'every call, under faults by chance, is done once or not at all, as it says',
      async (bench) => {
        const random = new Random(seed);
        for (let at = 0; at < (soak ? SOAK_CHANCES : CHANCES); at++) {
          await everyCall(bench, (call) => {
            const fault = random.pick([...PASSING, ...LASTING]);
            return tryUnder(bench, call, fault, random.below(3));
          });
        }
      },
      'wire',
    ),
    seed,
    soak,
    ...(soak && { timeoutMs: SOAK_TIMEOUT_MS }),
  };
  // Where something is lost for good, too, the driver's sending again hides what the adapter does about it.
  const isLost = ({ clause }: ConformanceCase) => clause === 'FLT-1';
  return [...passing, byNumber, ...lasting]
    .flatMap((one) => (isLost(one) ? withEitherDriver(one) : one))
    .concat(byChance);
}

/** Tries all calls at once, each on a session and a wire of its own. Throws what the first of them failed with. */
async function everyCall(bench: Bench, attempt: (call: TriedCall) => Promise<void>): Promise<void> {
  const attempts = await Promise.allSettled(callsOf(bench.adapter.capabilities).map(attempt));
  for (const ended of attempts) if (ended.status === 'rejected') throw ended.reason;
}

const LAST = message(99);

async function tryUnder(bench: Bench, call: TriedCall, fault: Fault, before = 0): Promise<void> {
  const isLasting = LASTING.includes(fault);
  const what = `${call.name}, when ${fault.when}`;
  const { proxy, connection } = await bench.proxied();
  const patient = bench.sessionOn(connection);
  const { sessionId } = patient;
  const session = bench.sessionOn(connection, { sessionId, ...(isLasting && { timeoutMs: SHORT_MS }) });
  const direct = await bench.elsewhere(session);
  await patient.addItems([...call.start]);

  const struck = fault.strike(proxy, before);
  const making = call.make(session);
  await settlesWithin(isLasting ? SHORT_BOUND_MS : BOUND_MS, making, what);
  const said = await outcomeOf(call, making, what, { mayFail: isLasting });
  if (before === 0 && struck) await settlesWithin(BOUND_MS, struck, `${what}: it met something`);
  proxy.pass();

  let possible = historiesAfter(call, said);
  const look = async (who: AnySession, from: string) => {
    const where = `${what}, was ${said}: the history ${from}`;
    possible = historyFrom(possible, await succeeds(who.getItems(), where), where);
  };
  await look(patient, 'on the same connection');
  await look(session, 'through the same instance');
  await new Promise((resolve) => setTimeout(resolve, STRAY_MS));
  await look(direct, 'from elsewhere, a while later');
  await succeeds(session.addItems([LAST]), `${what}, was ${said}: the same instance goes on`);
  // A write of which nobody knows may come even after that.
  const later = said === 'unknown' && possible.length > 1 ? [call.effect([...call.start, LAST]).left] : [];
  possible = [...possible.map((history) => [...history, LAST]), ...later];
  await look(direct, 'after the next write');
}

async function succeeds<T>(call: Promise<T>, what: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new ClauseBroken(what, 'success', error);
  }
}
