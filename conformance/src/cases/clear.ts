import type { Bench } from '../bench.ts';
import { promise } from '../case.ts';
import { same } from '../check.ts';
import { message, messages } from '../items.ts';

/** Texts in the store that still show the secret. */
async function remains(bench: Bench, secret: string): Promise<string[]> {
  return (await bench.backdoor.contents()).filter((text) => text.includes(secret));
}

export const clearCases = [
  promise('CLR-1', 'a cleared session is empty and can be used again at once', async (bench) => {
    const session = await bench.session();
    const other = await bench.elsewhere(session);
    for (let round = 0; round < 3; round++) {
      await session.addItems(messages(0, 600));
      await session.clearSession();
      same(await session.getItems(), [], 'Empty');
      same(await other.getItems(), [], 'Empty from elsewhere');
      same(await other.popItem(), undefined, 'Nothing to pop');
      await other.addItems([message(round)]);
      same(await session.getItems(), [message(round)], 'Used again');
    }
  }),

  promise(
    'CLR-2',
    'no other session is touched, however alike its id',
    async (bench) => {
      const id = bench.freshId();
      const ids = [
        id,
        `${id}bar`,
        `${id}:1`,
        `${id}*`,
        id.slice(0, -1),
        `${id}:items`,
        id.toUpperCase(),
        `{${id}}`,
        '*',
      ];
      const namespace = bench.freshId();
      const connection = await bench.connect();
      const sessions = ids.map((sessionId) => bench.sessionOn(connection, { sessionId, namespace }));
      for (const [index, session] of sessions.entries()) await session.addItems([message(index)]);
      await sessions[0]!.clearSession();
      for (const [index, session] of sessions.entries()) {
        same(await session.getItems(), index === 0 ? [] : [message(index)], `Session ${session.sessionId}`);
      }
      await sessions.at(-1)!.clearSession();
      for (const [index, session] of sessions.slice(1, -1).entries()) {
        same(await session.getItems(), [message(index + 1)], 'A clear of "*" takes nothing else');
      }
    },
    'namespaces',
  ),

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

  promise('CLR-4', 'clearing an unknown session succeeds', async (bench) => {
    const session = await bench.session();
    await session.clearSession();
    await session.clearSession();
    same(await session.getItems(), [], 'It is empty');
  }),
];
