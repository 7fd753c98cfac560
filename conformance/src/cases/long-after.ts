import type { AnySession } from '../adapter.ts';
import type { Bench } from '../bench.ts';
import { promise } from '../case.ts';
import { same } from '../check.ts';
import { message, messages } from '../items.ts';

/** Longer than a store is likely to keep anything that it is to remove by itself, in milliseconds. */
export const LONG_MS = 100 * 24 * 60 * 60 * 1_000;

/** Ways that a history may have come. */
const PASTS: readonly ((session: AnySession) => Promise<void>)[] = [
  async (session) => session.addItems(messages(0, 2)),
  async (session) => {
    await session.addItems(messages(0, 2));
    await session.popItem();
  },
  async (session) => {
    await session.addItems(messages(0, 2));
    await session.popItem();
    await session.popItem();
  },
  async (session) => {
    for (let at = 0; at < 3; at++) {
      await session.addItems(messages(at, at + 2));
      await session.popItem();
    }
    await session.addItems([message(9)]);
  },
  async (session) => {
    await session.addItems([message(0)]);
    await session.clearSession();
    await session.addItems(messages(1, 3));
    await session.popItem();
  },
  async (session) => {
    await session.addItems(messages(0, 3));
    await session.replaceHistoryWithCompaction?.([message(8)]);
    await session.popItem();
  },
  async (session) => {
    await session.addItems([message(0)]);
    await append(session, 'popped');
    await session.popItem();
    await append(session, 'kept');
    await session.replaceHistoryWithCompaction?.([message(8)]);
  },
];

async function append(session: AnySession, operationId: string): Promise<void> {
  await session.applyHistoryTransaction?.({
    operationId,
    transaction: { type: 'append_items', items: [message(7)] },
  });
}

/** What somebody does who comes long after, when the store has removed what it may. */
async function longAfter(
  bench: Bench,
  prepare: (session: AnySession, past: number) => Promise<void>,
  look: (session: AnySession, past: number) => Promise<void>,
): Promise<void> {
  const sessions = await Promise.all(PASTS.map(() => bench.session()));
  for (const [past, session] of sessions.entries()) await prepare(session, past);
  await bench.backdoor.removeDue!(LONG_MS);
  for (const [past, session] of sessions.entries()) await look(await bench.elsewhere(session), past);
}

export const longAfterCases = [
  promise(
    'GET-2',
    'a session without an end is the same long after, whatever its store has removed by itself',
    async (bench) => {
      const histories: unknown[][] = [];
      await longAfter(
        bench,
        async (session, past) => {
          await PASTS[past]!(session);
          histories.push(await session.getItems());
        },
        async (session, past) => {
          const history = histories[past]!;
          const what = `Past ${past + 1}`;
          same(await session.getItems(), history, `${what}: all is there`);
          await session.addItems([message(5)]);
          same(await session.getItems(), [...history, message(5)], `${what}: a write comes after it`);
          if (past === PASTS.length - 1) {
            for (const known of ['popped', 'kept']) await append(session, known);
            same(await session.getItems(), [...history, message(5)], `${what}: operations are known`);
          }
        },
      );
    },
    'removeDue',
  ),

  promise(
    'CLR-1',
    'a session that was cleared is empty long after, and can be used, whatever its store has removed by itself',
    async (bench) => {
      await longAfter(
        bench,
        async (session, past) => {
          await PASTS[past]!(session);
          await session.clearSession();
        },
        async (session, past) => {
          const what = `Past ${past + 1}`;
          same(await session.getItems(), [], `${what}: it is empty`);
          await session.addItems([message(5)]);
          same(await session.getItems(), [message(5)], `${what}: it can be used`);
          await append(session, 'popped');
          const { length } = await session.getItems();
          const appended = session.applyHistoryTransaction ? 1 : 0;
          same(length, 1 + appended, `${what}: an operation of before the clear is a new one`);
        },
      );
    },
    'removeDue',
  ),
];
