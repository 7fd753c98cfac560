import { isSessionError } from '@sessions/core';
import type { AnySession, Capabilities } from '../adapter.ts';
import type { Bench } from '../bench.ts';
import { promise } from '../case.ts';
import { same } from '../check.ts';
import { callAndOutput, message, messages } from '../items.ts';
import { usableOf } from './every-call.ts';
import { LONG_MS } from './long-after.ts';
import { vanishAfter } from './vanish-after.ts';

type Removal = (session: AnySession, secrets: Secrets) => Promise<unknown>;

/** Items whose content stands nowhere else, so that it is found in a store wherever it is. */
class Secrets {
  readonly #name: string;
  #count = 0;

  constructor(name: string) {
    this.#name = name;
  }

  next(count: number, filler = ''): { content: string }[] {
    return Array.from({ length: count }, () => ({ content: `${this.#name}.${this.#count++}.${filler}` }));
  }

  /** Of all these items the store holds those of the histories, and nothing of the others. */
  async mustBeGone(bench: Bench, histories: readonly unknown[], what: string): Promise<void> {
    const left = await bench.contentsWith(this.#name);
    const kept = new Set(this.#namesIn(JSON.stringify(histories)));
    same(
      left.flatMap((text) => this.#namesIn(text)).filter((name) => !kept.has(name)),
      [],
      what,
    );
  }

  #namesIn(text: string): string[] {
    return text.match(new RegExp(`${this.#name}\\.\\d+\\.`, 'g')) ?? [];
  }
}

const CALL_ID = 'call';
const CALL = callAndOutput(CALL_ID)[0];

/** What takes items out of a history. */
const REMOVALS: readonly { name: string; needs?: keyof Capabilities; remove: Removal }[] = [
  { name: 'popItem', remove: (session) => session.popItem() },
  { name: 'clearSession', remove: (session) => session.clearSession() },
  {
    name: 'replaceHistoryWithCompaction',
    needs: 'replacement',
    remove: (session, secrets) => session.replaceHistoryWithCompaction!(secrets.next(2)),
  },
  {
    name: 'applyHistoryTransaction',
    needs: 'transactions',
    async remove(session, secrets) {
      const expectedSuffix = (await session.getItems(2)) as object[];
      const replacement = secrets.next(1);
      const transaction = { type: 'replace_suffix' as const, expectedSuffix, replacement };
      await session.applyHistoryTransaction!({ operationId: 'replace', transaction });
    },
  },
  {
    name: 'applyHistoryMutations',
    needs: 'rewrites',
    async remove(session, secrets) {
      const replacement = { ...CALL, arguments: secrets.next(1)[0]!.content } as never;
      const mutation = { type: 'replace_function_call' as const, callId: CALL_ID, replacement };
      await session.applyHistoryMutations!({ mutations: [mutation] });
    },
  },
];

/** How many clients remove items at the same time, and how many each pops. */
const CLIENTS = 4;
const POPS = 3;

/** More replies than most calls here wait for. */
const MOST_REPLIES = 6;

/** A batch that takes several rows or documents in most stores: items of so many characters. */
const LARGE_ITEMS = 8;
const LARGE = 500_000;

/**
 * The time of a call of a client whose store vanishes, in milliseconds: what it calls before that has to be done in it, while
 * dozens of others do the same, and one that sends much must not be at it still when it is over.
 */
const VANISHING_MS = 2_000;

/** Enough for either on a machine that is busy with something else, though an adapter may take a multiple of it on a slow store. */
const BOUND_MS = 15_000;

export const erasureCases = [
  promise(
    'CLR-3',
    'cleared content is gone from the store',
    async (bench) => {
      const session = await bench.session();
      const secret = bench.freshId();
      await session.addItems([{ content: secret }, { content: secret, bytes: new Uint8Array(3) }]);
      same((await bench.contentsWith(secret)).length > 0, true, 'It was there');
      await session.clearSession();
      same(await bench.contentsWith(secret), [], 'Nothing is left');
    },
    'contents',
  ),

  promise(
    'CLR-3',
    'popped content is gone from the store',
    async (bench) => {
      for (const others of [0, 1, 150, 1_200]) {
        const session = await bench.session();
        const secret = bench.freshId();
        await session.addItems(messages(0, others));
        for (const filler of ['', 'x'.repeat(10_000)]) {
          await session.addItems([message(0), { content: secret + filler }]);
          await session.popItem();
          const what = `an item with ${filler.length} characters more, after ${others} others`;
          same(await bench.contentsWith(secret), [], `Nothing is left of ${what}`);
        }
      }
    },
    'contents',
  ),

  promise(
    'CLR-3',
    'replaced content is gone from the store',
    async (bench) => {
      const session = await bench.session();
      const secret = bench.freshId();
      const expectedSuffix = [{ content: secret }];
      await session.addItems([...messages(0, 300), ...expectedSuffix]);
      await session.applyHistoryTransaction!({
        operationId: 'replace',
        transaction: { type: 'replace_suffix', expectedSuffix, replacement: [message(1)] },
      });
      same(await bench.contentsWith(secret), [], 'A replaced suffix');
      await session.applyHistoryTransaction!({
        operationId: 'append',
        transaction: { type: 'append_items', items: [{ content: secret }] },
      });
      await session.clearSession();
      same(await bench.contentsWith(secret), [], 'What a transaction appended, after a clear');
    },
    'transactions',
    'contents',
  ),

  promise(
    'CLR-3',
    'the history before a compaction is gone from the store',
    async (bench) => {
      const session = await bench.session();
      const secret = bench.freshId();
      await session.addItems([{ content: secret }, message(1)]);
      await session.replaceHistoryWithCompaction!([message(2)]);
      same(await bench.contentsWith(secret), [], 'Nothing is left');
    },
    'replacement',
    'contents',
  ),

  promise(
    'CLR-3',
    'what several clients remove at the same time is gone from the store',
    async (bench) => {
      const connections = await Promise.all(Array.from({ length: CLIENTS }, () => bench.connect()));
      const secrets = new Secrets(bench.freshId());
      const histories: unknown[] = [];
      for (const { name, remove } of usableOf(REMOVALS, bench.adapter.capabilities)) {
        const sessionId = bench.freshId();
        const clients = connections.map((connection) => bench.sessionOn(connection, { sessionId }));
        const [first, last] = [clients[0]!, clients.at(-1)!];
        // Of one batch, so that they are in one place in many a store.
        await first.addItems([CALL, ...secrets.next(CLIENTS * POPS)]);
        await last.addItems(secrets.next(1));
        await Promise.all([
          ...clients.flatMap((client) => Array.from({ length: POPS }, () => client.popItem())),
          remove(last, secrets).catch(unlessMismatch),
          first.addItems(secrets.next(2)),
        ]);
        histories.push(await first.getItems());
        await secrets.mustBeGone(
          bench,
          histories,
          `Nothing but the history is left of pops, appends, ${name}`,
        );
      }
    },
    'contents',
  ),

  promise(
    'CLR-3',
    'what a client could not erase, since it lost its store at any moment, the next write erases',
    async (bench) => {
      const secrets = new Secrets(bench.freshId());
      const histories = await removedByWhoLostTheStore(bench, secrets, async ({ direct }) => {
        await direct.addItems(secrets.next(1));
        return direct.getItems();
      });
      await secrets.mustBeGone(bench, histories, 'Nothing is left but the histories');
    },
    'wire',
    'contents',
  ),

  promise(
    'CLR-1',
    'what a client removed does not come back long after, though it lost its store before all was erased',
    async (bench) => {
      const secrets = new Secrets(bench.freshId());
      const left = await removedByWhoLostTheStore(bench, secrets, async ({ what, direct }) => {
        return { what, direct, history: await direct.getItems() };
      });
      await bench.backdoor.removeDue!(LONG_MS);
      for (const { what, direct, history } of left) {
        const later = await bench.elsewhere(direct);
        same(await later.getItems(), history, `${what}: the same long after`);
        await later.addItems([message(0)]);
        same(await later.getItems(), [...history, message(0)], `${what}: a write comes after it`);
      }
    },
    'wire',
    'removeDue',
  ),

  promise(
    'CLR-3',
    'what is left of a large batch that was never finished is gone with the next clear',
    async (bench) => {
      const secrets = new Secrets(bench.freshId());
      const tries = Array.from({ length: MOST_REPLIES }, async (_, before) => {
        const { proxy, connection } = await bench.proxied();
        const session = bench.sessionOn(connection, { timeoutMs: VANISHING_MS });
        const direct = await bench.elsewhere(session);
        await session.addItems([message(0)]);
        const adding = session.addItems(secrets.next(LARGE_ITEMS, 'x'.repeat(LARGE)));
        await vanishAfter(proxy, before, adding, BOUND_MS);
        await direct.clearSession();
        return direct.getItems();
      });
      same(await Promise.all(tries), Array(MOST_REPLIES).fill([]), 'All are cleared');
      await secrets.mustBeGone(bench, [], 'Nothing is left');
    },
    'wire',
    'contents',
  ),
];

/** What comes after each removal, by a client that lost its store for good after each number of replies. */
function removedByWhoLostTheStore<T>(
  bench: Bench,
  secrets: Secrets,
  then: (removed: { readonly what: string; readonly direct: AnySession }) => Promise<T>,
): Promise<T[]> {
  const tries = usableOf(REMOVALS, bench.adapter.capabilities).flatMap(({ name, remove }) =>
    Array.from({ length: MOST_REPLIES }, async (_, before) => {
      const { proxy, connection } = await bench.proxied();
      const session = bench.sessionOn(connection, { timeoutMs: VANISHING_MS });
      const direct = await bench.elsewhere(session);
      await direct.addItems([CALL, ...secrets.next(3)]);
      await direct.addItems(secrets.next(1));
      await direct.popItem();
      await session.getItems();
      await vanishAfter(proxy, before, remove(session, secrets), BOUND_MS);
      return then({ what: `${name}, reply ${before + 1} lost`, direct });
    }),
  );
  return Promise.all(tries);
}

function unlessMismatch(error: unknown): void {
  if (!isSessionError(error, 'SUFFIX_MISMATCH')) throw error;
}
