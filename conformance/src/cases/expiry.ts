import type { Bench } from '../bench.ts';
import { type ConformanceCase, promise } from '../case.ts';
import { holds, same } from '../check.ts';
import { callAndOutput, message, messages } from '../items.ts';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What each record of a session has left, all of it within a moment. */
async function lifetime(bench: Bench, sessionId: string, what: string): Promise<number> {
  const left = await bench.backdoor.lifetimes!(sessionId);
  holds(
    left.length > 0 && left.every((ms) => Number.isFinite(ms) && ms > 0),
    `${what}: every record expires`,
    left,
  );
  // Each is asked for a moment after the one before; the times to live used here are hundreds of seconds apart.
  holds(Math.max(...left) - Math.min(...left) < 10_000, `${what}: all at the same time`, left);
  return Math.max(...left);
}

/** The session lives for so many seconds from now on, or began to a short while ago. */
async function livesFor(bench: Bench, sessionId: string, seconds: number, what: string): Promise<void> {
  const left = await lifetime(bench, sessionId, what);
  holds(left <= seconds * 1_000 && left > seconds * 1_000 - 60_000, `${what}: ${seconds} s from then`, left);
}

export const expiryCases: ConformanceCase[] = [
  promise(
    'TTL-1',
    'every record expires together, and each write moves that',
    async (bench) => {
      const long = await bench.session({ ttlSeconds: 1_000 });
      const { sessionId } = long;
      const short = await bench.session({ sessionId, ttlSeconds: 500 });
      await long.addItems(messages(0, 3));
      if (long.applyHistoryTransaction) {
        const transaction = { type: 'append_items' as const, items: [message(3)] };
        await long.applyHistoryTransaction({ operationId: 'a', transaction });
      }
      const expect = (seconds: number, what: string) => livesFor(bench, sessionId, seconds, what);
      await expect(1_000, 'An append');
      await short.popItem();
      await expect(500, 'A pop');
      await long.addItems([message(4)]);
      await expect(1_000, 'An append again');
      await short.getItems();
      await expect(1_000, 'A read does not move it');
      if (short.replaceHistoryWithCompaction) {
        await short.replaceHistoryWithCompaction(messages(0, 2));
        await expect(500, 'A compaction');
      }
      const refreshing = await bench.session({ sessionId, ttlSeconds: 2_000, refreshTtlOnRead: true });
      await refreshing.getItems();
      await expect(2_000, 'A read that was asked to');
      const plain = await bench.session({ sessionId });
      await plain.addItems([message(5)]);
      await expect(2_000, 'An append of an instance without an expiry leaves it');
      if (plain.replaceHistoryWithCompaction) {
        await plain.replaceHistoryWithCompaction(messages(0, 2));
        await expect(2_000, 'A compaction too');
      }
      if (plain.applyHistoryTransaction) {
        const suffix = (await plain.getItems()) as object[];
        const transaction = {
          type: 'replace_suffix' as const,
          expectedSuffix: suffix,
          replacement: [message(6)],
        };
        await plain.applyHistoryTransaction({ operationId: 'b', transaction });
        await expect(2_000, 'The replacement of everything too');
      }
    },
    'expiry',
    'lifetimes',
  ),

  promise(
    'TTL-1',
    'a write to a session that was popped empty gives it its expiry again',
    async (bench) => {
      const session = await bench.session({ ttlSeconds: 1_000 });
      await session.addItems([message(0)]);
      await session.popItem();
      await session.addItems([message(1)]);
      await lifetime(bench, session.sessionId, 'After it was empty');
      await session.clearSession();
      await session.addItems([message(2)]);
      await lifetime(bench, session.sessionId, 'After a clear');
    },
    'expiry',
    'lifetimes',
  ),

  promise(
    'TTL-1',
    'a transaction moves it, also one that appends nothing or only removes',
    async (bench) => {
      const long = await bench.session({ ttlSeconds: 1_000 });
      const { sessionId } = long;
      const short = await bench.session({ sessionId, ttlSeconds: 500 });
      await long.addItems(messages(0, 2));
      const nothing = { type: 'append_items' as const, items: [] };
      await short.applyHistoryTransaction!({ operationId: 'a', transaction: nothing });
      await livesFor(bench, sessionId, 500, 'An append of nothing');
      await long.addItems([message(2)]);
      const removal = { type: 'replace_suffix' as const, expectedSuffix: [message(2)], replacement: [] };
      await short.applyHistoryTransaction!({ operationId: 'b', transaction: removal });
      await livesFor(bench, sessionId, 500, 'A removal');
      await long.addItems([message(2)]);
      const appending = { type: 'append_items' as const, items: [message(3)] };
      await short.applyHistoryTransaction!({ operationId: 'c', transaction: appending });
      await livesFor(bench, sessionId, 500, 'An append');
    },
    'expiry',
    'lifetimes',
    'transactions',
  ),

  promise(
    'TTL-1',
    'a rewrite moves it',
    async (bench) => {
      const long = await bench.session({ ttlSeconds: 1_000 });
      const { sessionId } = long;
      const short = await bench.session({ sessionId, ttlSeconds: 500 });
      const [call, output] = callAndOutput('1');
      await long.addItems([call, output]);
      const replacement = { ...call, arguments: '[]' } as never;
      const mutations = [{ type: 'replace_function_call' as const, callId: '1', replacement }];
      await short.applyHistoryMutations!({ mutations });
      await livesFor(bench, sessionId, 500, 'A rewrite');
    },
    'expiry',
    'lifetimes',
    'rewrites',
  ),

  promise(
    'TTL-1',
    'an instance that was given none leaves the expiry as it is',
    async (bench) => {
      const session = await bench.session({ ttlSeconds: 1_000 });
      const { sessionId } = session;
      const plain = await bench.session({ sessionId });
      const [call, output] = callAndOutput('1');
      await session.addItems([call, output, ...messages(0, 3)]);
      const writes: [what: string, write: () => unknown][] = [
        ['An append', () => plain.addItems([message(3)])],
        ['A pop', () => plain.popItem()],
      ];
      if (plain.applyHistoryTransaction) {
        const append = { type: 'append_items' as const, items: [message(4)] };
        const removal = { type: 'replace_suffix' as const, expectedSuffix: [message(4)], replacement: [] };
        for (const transaction of [append, removal]) {
          const { type } = transaction;
          writes.push([type, () => plain.applyHistoryTransaction!({ operationId: type, transaction })]);
        }
      }
      if (plain.applyHistoryMutations) {
        const replacement = { ...call, arguments: '[]' } as never;
        const mutations = [{ type: 'replace_function_call' as const, callId: '1', replacement }];
        writes.push(['A rewrite', () => plain.applyHistoryMutations!({ mutations })]);
      }
      if (plain.replaceHistoryWithCompaction)
        writes.push(['A compaction', () => plain.replaceHistoryWithCompaction!(messages(0, 2))]);
      for (const [what, write] of writes) {
        await write();
        await livesFor(bench, sessionId, 1_000, what);
      }
      while (await plain.popItem());
      await plain.addItems([message(0)]);
      await livesFor(bench, sessionId, 1_000, 'An append after all was popped');
    },
    'expiry',
    'lifetimes',
  ),

  promise(
    'TTL-1',
    'a writer that is cut off, whichever reply is lost, leaves nothing that never expires',
    async (bench) => {
      for (let before = 0; before < 3; before++) {
        const { proxy, connection } = await bench.proxied();
        await bench.sessionOn(connection).addItems([message(0)]);
        const session = bench.sessionOn(connection, { ttlSeconds: 1_000, timeoutMs: 400 });
        const lost = proxy.loseNextReply(before);
        const adding = session.addItems([message(0)]).catch(() => undefined);
        // An adapter that needs fewer replies is done before.
        await Promise.race([lost, adding]);
        proxy.refuse();
        await adding;
        const left = await bench.backdoor.lifetimes!(session.sessionId);
        const found = await (await bench.elsewhere(session)).getItems();
        holds(left.length > 0 || found.length === 0, 'What is there is shown', { left, found });
        holds(
          left.every((ms) => Number.isFinite(ms) && ms > 0),
          `Every record expires, though reply ${before + 1} was lost`,
          left,
        );
      }
    },
    'expiry',
    'lifetimes',
    'wire',
  ),

  promise(
    'TTL-1',
    'a pop that finds nothing, and an append of nothing, move nothing',
    async (bench) => {
      const session = await bench.session({ ttlSeconds: 1_000 });
      const transaction = { type: 'append_items' as const, items: [message(0)] };
      await session.applyHistoryTransaction!({ operationId: 'a', transaction });
      await session.popItem();
      const shorter = await bench.session({ sessionId: session.sessionId, ttlSeconds: 10 });
      same(await shorter.popItem(), undefined, 'Nothing is left');
      await shorter.addItems([]);
      const left = await lifetime(bench, session.sessionId, 'The operation');
      holds(left > 100_000, 'It lives as long as the last write said', left);
    },
    'expiry',
    'lifetimes',
    'transactions',
  ),

  promise(
    'TTL-2',
    'what has expired is neither read nor popped nor brought back',
    async (bench) => {
      const session = await bench.session({ ttlSeconds: 1 });
      const { sessionId } = session;
      const other = await bench.elsewhere(session);
      await session.addItems(messages(0, 3));
      if (session.applyHistoryTransaction) {
        const transaction = { type: 'append_items' as const, items: [] };
        await session.applyHistoryTransaction({ operationId: 'a', transaction });
      }
      same(await other.getItems(), messages(0, 3), 'It lives');
      await sleep(1_100);
      same(await other.getItems(), [], 'Not read');
      same(await session.popItem(), undefined, 'Not popped');
      await session.addItems([message(7)]);
      same(await other.getItems(), [message(7)], 'A write begins anew');
      await sleep(1_100);
      if (session.applyHistoryTransaction) {
        const lasting = await bench.session({ sessionId });
        const transaction = { type: 'append_items' as const, items: [message(8)] };
        await lasting.applyHistoryTransaction!({ operationId: 'a', transaction });
        same(await other.getItems(), [message(8)], 'Operations expire with the rest');
      }
    },
    'expiry',
  ),

  promise(
    'TTL-2',
    'what a read let expire earlier is not brought back by who remembers it otherwise',
    async (bench) => {
      for (const ttlSeconds of [undefined, 100]) {
        const writer = await bench.session({ ttlSeconds });
        const short = { ttlSeconds: 1, refreshTtlOnRead: true };
        const reader = await bench.elsewhere(writer, short);
        await writer.addItems([message(0)]);
        same(await reader.getItems(), [message(0)], 'A read that moves the end');
        await sleep(1_100);
        await writer.addItems([message(1)]);
        same(await reader.getItems(), [message(1)], `The session had ${ttlSeconds ?? 'no'} seconds before`);
      }
    },
    'expiry',
  ),

  promise(
    'TTL-2',
    'what has expired is not brought back when its store removes what is due',
    async (bench) => {
      const session = await bench.session({ ttlSeconds: 1 });
      await session.addItems([message(0)]);
      const days = 24 * 60 * 60;
      const reader = await bench.elsewhere(session, { ttlSeconds: 100 * days, refreshTtlOnRead: true });
      same(await reader.getItems(), [message(0)], 'A read that gives it a hundred days');
      await session.addItems([message(1)]);
      const other = await bench.elsewhere(session);
      await sleep(1_100);
      same(await other.getItems(), [], 'The last write gave it a second');
      await bench.backdoor.removeDue!(10 * days * 1_000);
      same(await other.getItems(), [], 'After ten days');
      await session.addItems([message(2)]);
      same(await other.getItems(), [message(2)], 'A write begins anew');
    },
    'expiry',
    'removeDue',
  ),

  promise(
    'TTL-2',
    'of what expires while it is rewritten nothing is left, or all of it',
    async (bench) => {
      const ttlMs = 2_000;
      const [call] = callAndOutput('1');
      const replacement = { ...call, arguments: '[]' } as never;
      const mutations = [{ type: 'replace_function_call' as const, callId: '1', replacement }];
      // Of a session that takes several requests to read, one after the other is still on its way when the end comes.
      for (let before = 0; before < 4; before++) {
        const { proxy, connection } = await bench.proxied();
        const writer = await bench.session({ ttlSeconds: ttlMs / 1_000 });
        const session = bench.sessionOn(connection, {
          sessionId: writer.sessionId,
          ttlSeconds: ttlMs / 1_000,
        });
        await writer.addItems([{ role: 'user', content: 'a'.repeat(4 * 1024 * 1024) }, call]);
        const held = proxy.holdNextRequest(before);
        const rewriting = session.applyHistoryMutations!({ mutations }).catch(() => undefined);
        await Promise.race([held, rewriting]);
        await sleep(ttlMs + 100);
        proxy.pass();
        await rewriting;
        const found = await writer.getItems();
        holds(
          found.length === 0 || found.length === 2,
          `All or nothing, though request ${before + 1} came late`,
          found.length,
        );
      }
    },
    'expiry',
    'rewrites',
    'wire',
  ),

  promise(
    'TTL-2',
    'each write lets the session live on',
    async (bench) => {
      const ttlMs = 2_000;
      const session = await bench.session({ ttlSeconds: ttlMs / 1_000 });
      const started = performance.now();
      for (let at = 0; performance.now() - started < ttlMs * 1.3; at++) {
        const before = performance.now();
        await session.addItems([message(at)]);
        await sleep(300);
        // On a machine that was busy for that long, the session has expired by rights.
        if (performance.now() - before > ttlMs) return;
        same(await session.getItems(), messages(0, at + 1), 'It lives');
      }
    },
    'expiry',
  ),
];
