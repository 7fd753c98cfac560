import { type ConformanceCase, promise } from '../case.ts';
import { meanwhile, same, settlesWithin, underWay } from '../check.ts';
import { message, messages } from '../items.ts';
import { copy } from '../own-realm.ts';
import { Batches } from '../races/batches.ts';
import { sessionRacer } from '../races/racer.ts';
import { callsOf } from './every-call.ts';
import { historiesAfter, historyFrom, outcomeOf } from './every-outcome.ts';

/** Enough to start any store again on a machine that is busy with something else, in milliseconds. */
const PATIENT_MS = 40_000;

const TRANSACTION = {
  operationId: 'before the restart',
  transaction: { type: 'append_items' as const, items: [message(3)] },
};

/** How many clients write when the store is started again, and how many batches each at least, before that and then. */
const WRITERS = 4;
const SOME = 10;

/** How many calls each client makes while the store drops what it keeps. */
const CALLS = 100;

export const outageCases: ConformanceCase[] = [
  promise(
    'FLT-4',
    'after the store was started again nothing is gone that it had confirmed, and the same instance goes on',
    async (bench) => {
      const session = await bench.session({ timeoutMs: PATIENT_MS });
      const other = await bench.elsewhere(session, { timeoutMs: PATIENT_MS });
      await session.addItems(messages(0, 4));
      await session.popItem();
      await session.applyHistoryTransaction?.(copy(TRANSACTION));
      const before = await other.getItems();
      await bench.backdoor.restart!();
      same(await session.getItems(), before, 'All is there');
      await session.applyHistoryTransaction?.(copy(TRANSACTION));
      same(await other.getItems(), before, 'The operation is known');
      await session.addItems([message(4)]);
      same(await session.popItem(), message(4), 'The same instance goes on');
      same(await other.getItems(), before, 'So does one that did nothing');
    },
    'restart',
  ),

  promise(
    'FLT-1',
    'every call, when its reply is lost and the store is started again, is done once or not at all, as it says',
    async (bench) => {
      const met = callsOf(bench.adapter.capabilities).map(async (call) => {
        const { proxy, connection } = await bench.proxied();
        const session = bench.sessionOn(connection, { timeoutMs: PATIENT_MS });
        await session.addItems([...call.start]);
        const lost = proxy.loseNextReply();
        const [calling] = underWay(call.make(session));
        await settlesWithin(PATIENT_MS, lost, `${call.name}: its reply was lost`);
        proxy.refuse();
        return { call, proxy, session, calling: calling! };
      });
      const waiting = await Promise.all(met);
      await bench.backdoor.restart!();
      for (const { proxy } of waiting) proxy.pass();
      for (const { call, session, calling } of waiting) {
        const said = await outcomeOf(call, calling, call.name, { mayFail: true });
        historyFrom(
          historiesAfter(call, said),
          await session.getItems(),
          `${call.name}, was ${said}: the history`,
        );
      }
    },
    'restart',
    'wire',
  ),

  promise(
    'FLT-1',
    'writes that are under way when the store is started again are whole or absent, as they say',
    async (bench) => {
      const writers = await Promise.all(
        Array.from({ length: WRITERS }, async (_, at) => {
          const session = bench.sessionOn(await bench.connect(), { timeoutMs: PATIENT_MS });
          return { batches: new Batches(), racer: sessionRacer(`${at}`, session) };
        }),
      );
      const writeUntil = (isEnough: (made: number) => boolean) =>
        writers.map(async ({ batches, racer }) => {
          for (let made = 0; !isEnough(made); made++) await batches.add(racer);
        });
      await Promise.all(writeUntil((made) => made === SOME));
      let isBack = false;
      const writing = underWay(...writeUntil((made) => isBack && made >= SOME));
      await bench.backdoor.restart!().finally(() => {
        isBack = true;
      });
      await Promise.all(writing);
      for (const { batches, racer } of writers) await batches.mustBeWhole(racer, 'After the restart');
    },
    'restart',
  ),

  promise(
    'FLT-4',
    'every call succeeds though the store has dropped what it keeps for its clients',
    async (bench) => {
      for (const call of callsOf(bench.adapter.capabilities)) {
        const session = await bench.session();
        await session.addItems([...call.start]);
        await bench.backdoor.forget!();
        const said = await outcomeOf(call, call.make(session), call.name);
        await bench.backdoor.forget!();
        historyFrom(historiesAfter(call, said), await session.getItems(), `${call.name}: the history`);
      }
    },
    'forget',
  ),

  promise(
    'FLT-4',
    'a store may drop what it keeps for its clients in the midst of their calls',
    async (bench) => {
      const first = await bench.session();
      const sessions = [first, await bench.elsewhere(first), await bench.elsewhere(first)];
      const adding = Promise.all(
        sessions.map(async (session, writer) => {
          // Half of them at once, half one after another.
          const calls: Promise<void>[] = [];
          for (let at = 0; at < CALLS; at++) {
            const call = session.addItems([{ writer, at }]);
            if (at % 2 === 0) calls.push(call);
            else await call;
          }
          await Promise.all(calls);
        }),
      );
      await meanwhile(adding, () => bench.backdoor.forget!());
      const found = (await first.getItems()) as { writer: number; at: number }[];
      for (const writer of sessions.keys()) {
        const own = found.filter((item) => item.writer === writer);
        same(
          own,
          Array.from({ length: CALLS }, (_, at) => ({ writer, at })),
          'Each once, in order',
        );
      }
      same(found.length, sessions.length * CALLS, 'And nothing else');
    },
    'forget',
  ),
];
