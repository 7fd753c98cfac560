import type { AnySession } from '../adapter.ts';
import type { Bench } from '../bench.ts';
import { promise } from '../case.ts';
import { same, settlesWithin } from '../check.ts';
import { callAndOutput, message, messages } from '../items.ts';

/** Texts in the store that still show the secret. */
async function remains(bench: Bench, secret: string): Promise<string[]> {
  return (await bench.backdoor.contents()).filter((text) => text.includes(secret));
}

type Removal = (session: AnySession, secrets: Secrets) => Promise<unknown> | undefined;

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
    const left = await remains(bench, this.#name);
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

/** What takes items out of a history, as far as the session can. */
const REMOVALS: Readonly<Record<string, Removal>> = {
  popItem: (session) => session.popItem(),
  clearSession: (session) => session.clearSession(),
  replaceHistoryWithCompaction: (session, secrets) =>
    session.replaceHistoryWithCompaction?.(secrets.next(2) as never),
  applyHistoryTransaction: async (session, secrets) =>
    session.applyHistoryTransaction?.({
      operationId: 'replace',
      transaction: {
        type: 'replace_suffix',
        expectedSuffix: (await session.getItems(2)) as never,
        replacement: secrets.next(1) as never,
      },
    }),
  applyHistoryMutations: (session, secrets) =>
    session.applyHistoryMutations?.({
      mutations: [
        {
          type: 'replace_function_call',
          callId: CALL_ID,
          replacement: { ...callAndOutput(CALL_ID)[0], arguments: secrets.next(1)[0]?.content } as never,
        },
      ],
    }),
};

const CALL_ID = 'call';

/** How many clients remove items at the same time, and how many each pops. */
const CLIENTS = 4;
const POPS = 3;

/** More replies than any call here waits for. */
const MOST_REPLIES = 6;

/** More than one row, document or page of most stores takes, in characters. */
const LARGE = 500_000;

/** The time of a call whose store vanishes, in milliseconds; and enough for it on a machine that is busy with something else. */
const SHORT_MS = 400;
const BOUND_MS = 5_000;

export const erasureCases = [
  promise(
    'CLR-3',
    'cleared content is gone from the store',
    async (bench) => {
      const session = await bench.session();
      const secret = bench.freshId();
      await session.addItems([{ content: secret }, { content: secret, bytes: new Uint8Array(3) }]);
      same((await remains(bench, secret)).length > 0, true, 'It was there');
      await session.clearSession();
      same(await remains(bench, secret), [], 'Nothing is left');
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
          same(await remains(bench, secret), [], `Nothing is left of ${what}`);
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
      same(await remains(bench, secret), [], 'A replaced suffix');
      await session.applyHistoryTransaction!({
        operationId: 'append',
        transaction: { type: 'append_items', items: [{ content: secret }] },
      });
      await session.clearSession();
      same(await remains(bench, secret), [], 'What a transaction appended, after a clear');
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
      same(await remains(bench, secret), [], 'Nothing is left');
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
      for (const [name, remove] of Object.entries(REMOVALS)) {
        const sessionId = bench.freshId();
        const clients = connections.map((connection) => bench.sessionOn(connection, { sessionId }));
        const [first, last] = [clients[0]!, clients.at(-1)!];
        await first.addItems([callAndOutput(CALL_ID)[0], ...secrets.next(CLIENTS * POPS)]);
        await last.addItems(secrets.next(1));
        const popping = clients.flatMap((client) => Array.from({ length: POPS }, () => client.popItem()));
        const others = [remove(last, secrets), first.addItems(secrets.next(1)), first.addItems(secrets.next(2))];
        await Promise.all([...popping, ...others.map((call) => call?.catch(unlessMismatch))]);
        histories.push(await first.getItems());
        await secrets.mustBeGone(bench, histories, `Nothing is left but the history: pops, appends and ${name}`);
      }
    },
    'contents',
  ),
];
