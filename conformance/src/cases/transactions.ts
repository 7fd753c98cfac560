import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryTransactionArgs } from '@sessions/core';
import type { AnySession } from '../adapter.ts';
import type { Bench, SessionWish } from '../bench.ts';
import { type ConformanceCase, promise } from '../case.ts';
import { meanwhile, refused, same, settlesWithin } from '../check.ts';
import { message, messages } from '../items.ts';
import { withEitherDriver } from './either-driver.ts';

type Args = HistoryTransactionArgs<unknown>;

function append(operationId: string, items: unknown[]): Args {
  return { operationId, transaction: { type: 'append_items', items } };
}

function replace(operationId: string, expectedSuffix: unknown[], replacement: unknown[]): Args {
  return { operationId, transaction: { type: 'replace_suffix', expectedSuffix, replacement } };
}

function apply(session: AnySession, args: unknown): Promise<void> {
  return session.applyHistoryTransaction!(args as Args);
}

/** More requests than any suffix replacement has made before it writes. */
const MOST_REQUESTS = 4;

/** More replies than the first transaction of a client waits for, those to its greetings among them. */
const MOST_REPLIES = 10;

/** Well within the time that a call has. */
const BOUND_MS = 5_000;

/** How many clients add without a pause while another one needs more requests than an add has. */
const RIVALS = 5;

/** On a slow store fewer operations come after the one that has to be remembered: as many as it takes in so long, in milliseconds. */
const LATER_MS = 60_000;

/**
 * A suffix replacement is held up on its way, a new history of the same length takes the place of the old one, by as many
 * writes, and only then does it get through.
 */
async function replaceLate(
  bench: Bench,
  wish: SessionWish,
  renew: (direct: AnySession) => Promise<void>,
): Promise<void> {
  const tries = Array.from({ length: MOST_REQUESTS }, async (_, before) => {
    const { proxy, connection } = await bench.proxied();
    const session = bench.sessionOn(connection, wish);
    const direct = await bench.elsewhere(session, wish);
    await direct.addItems(messages(0, 2));
    await session.getItems();
    const held = proxy.holdNextRequest(before);
    const applying = apply(session, replace('late', [message(1)], [message(2)])).catch(
      (error: unknown) => error,
    );
    // An adapter that needs fewer requests is done before.
    await Promise.race([held, applying]);
    await renew(direct);
    await direct.addItems(messages(5, 7));
    proxy.pass();
    const outcome = await applying;
    same(
      await direct.getItems(),
      messages(5, 7),
      `Held up at request ${before + 1}, it ended with ${outcome}`,
    );
  });
  await Promise.all(tries);
}

export const transactionCases: ConformanceCase[] = [
  promise(
    'TXN-1',
    'an append and a replaced suffix take effect',
    async (bench) => {
      const session = await bench.session();
      await apply(session, append('a', messages(0, 3)));
      same(await session.getItems(), messages(0, 3), 'An append');
      await apply(session, replace('b', messages(1, 3), [message(7)]));
      same(await session.getItems(), [message(0), message(7)], 'A replaced suffix');
      await apply(session, replace('c', [message(0), message(7)], []));
      same(await session.getItems(), [], 'All replaced by nothing');
      await apply(session, replace('d', [], messages(4, 6)));
      same(await session.getItems(), messages(4, 6), 'An empty suffix always matches');
    },
    'transactions',
  ),

  promise(
    'TXN-1',
    'a suffix is compared as data: keys in any order, rich values and all',
    async (bench) => {
      const session = await bench.session();
      const at = new Date(1);
      await session.addItems([
        message(0),
        { b: 1, a: { d: [-0], c: new Uint8Array([1]) }, at, u: undefined },
      ]);
      const suffix = { at: new Date(1), a: { c: new Uint8Array([1]), d: [-0] }, b: 1 };
      await refused(
        apply(session, replace('x', [{ ...suffix, b: 2 }], [])),
        'SUFFIX_MISMATCH',
        'Another number',
      );
      const zero = { ...suffix, a: { c: new Uint8Array([1]), d: [0] } };
      await refused(apply(session, replace('x', [zero], [])), 'SUFFIX_MISMATCH', '0 is not -0');
      const bytes = { ...suffix, a: { c: new Uint8Array([2]), d: [-0] } };
      await refused(apply(session, replace('x', [bytes], [])), 'SUFFIX_MISMATCH', 'Other bytes');
      await apply(session, replace('x', [suffix], [message(1)]));
      same(await session.getItems(), messages(0, 2), 'The same data');
    },
    'transactions',
  ),

  promise(
    'TXN-1',
    'of 20 concurrent callers of one operation one applies it and all succeed',
    async (bench) => {
      const first = await bench.session();
      const callers = [
        first,
        await bench.elsewhere(first),
        await bench.elsewhere(first),
        await bench.elsewhere(first),
      ];
      await first.addItems(messages(0, 2));
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => apply(callers[at % 4]!, append('same', [message(2)]))),
      );
      same(await first.getItems(), messages(0, 3), 'Appended once');
      const replacing = () => replace('other', [message(2)], messages(3, 5));
      await Promise.all(Array.from({ length: 20 }, (_, at) => apply(callers[at % 4]!, replacing())));
      same(await first.getItems(), [...messages(0, 2), ...messages(3, 5)], 'Replaced once');
    },
    'transactions',
  ),

  promise(
    'TXN-1',
    'a transaction has its turn among clients that add without a pause',
    async (bench) => {
      const session = await bench.session();
      const rivals = await Promise.all(Array.from({ length: RIVALS }, () => bench.elsewhere(session)));
      let added = 0;
      const add = async (rival: AnySession) => {
        await rival.addItems([message(0)]);
        added++;
      };
      await Promise.all(rivals.map(add));
      const ids = ['a', 'b', 'c'];
      const applying = (async () => {
        for (const id of ids) await apply(session, append(id, [message(1)]));
      })();
      await Promise.all(rivals.map((rival) => meanwhile(applying, () => add(rival))));
      for (const id of ids) await apply(session, append(id, [message(1)]));
      const found = (await session.getItems()) as { content: string }[];
      const count = (item: { content: string }) =>
        found.filter(({ content }) => content === item.content).length;
      same([count(message(0)), count(message(1))], [added, ids.length], 'Each once');
    },
    'transactions',
  ),

  promise(
    'TXN-1',
    'a replacement loses nothing that others append at the same time',
    async (bench) => {
      const first = await bench.session();
      const other = await bench.elsewhere(first);
      for (let round = 0; round < 15; round++) {
        await first.clearSession();
        await first.addItems([message(0)]);
        const replacing = apply(first, replace(`r${round}`, [message(0)], [message(1)])).then(
          () => true,
          () => false,
        );
        const [didReplace] = await Promise.all([replacing, other.addItems([message(2)])]);
        const wanted = didReplace ? [message(1), message(2)] : [message(0), message(2)];
        same(await first.getItems(), wanted, 'The append is there, and the suffix is replaced or not');
      }
    },
    'transactions',
  ),

  promise(
    'TXN-2',
    'the same operation again succeeds and changes nothing, from anywhere, until a clear',
    async (bench) => {
      const session = await bench.session();
      const other = await bench.elsewhere(session);
      await apply(session, append('a', [message(0)]));
      await apply(session, replace('b', [message(0)], [message(1)]));
      await session.addItems(messages(2, 200));
      for (const again of [session, other]) {
        await apply(again, append('a', [message(0)]));
        await apply(again, replace('b', [message(0)], [message(1)]));
      }
      same(await session.getItems(), messages(1, 200), 'Applied once');
      await apply(other, {
        transaction: { items: [{ content: 'm0', role: 'user' }], type: 'append_items' },
        operationId: 'a',
      });
      same(await session.getItems(), messages(1, 200), 'Whatever the order of keys');
      for (let count = 1; count < 200; count++) await session.popItem();
      await apply(other, append('a', [message(0)]));
      same(await session.getItems(), [], 'Pops forget nothing');
      await session.clearSession();
      await apply(other, append('a', [message(0)]));
      same(await session.getItems(), [message(0)], 'A clear does');
    },
    'transactions',
  ),

  promise(
    'TXN-2',
    'operation ids are remembered exactly, whatever they hold',
    async (bench) => {
      const session = await bench.session();
      const ids = [
        'a',
        'A',
        'a ',
        ' a',
        'a:b',
        '$set',
        'a.b',
        '*',
        '\0',
        'é',
        'e\u0301',
        '\ud800',
        '\ud801',
        '__proto__',
        'constructor',
        'x'.repeat(1_000),
      ];
      for (const [at, id] of ids.entries()) await apply(session, append(id, [message(at)]));
      for (const [at, id] of ids.entries()) await apply(session, append(id, [message(at)]));
      same(await session.getItems(), messages(0, ids.length), 'Each once');
      const elsewhere = await bench.session();
      await apply(elsewhere, append('a', [message(9)]));
      same(await elsewhere.getItems(), [message(9)], 'Another session has operations of its own');
    },
    'transactions',
  ),

  promise(
    'TXN-2',
    'an operation is known however many came after it',
    async (bench) => {
      const session = await bench.session();
      await apply(session, append('first', [message(0)]));
      const enough = performance.now() + LATER_MS;
      for (let at = 0; at < 1_100 && performance.now() < enough; at++) {
        await apply(session, append(`later ${at}`, []));
      }
      await apply(await bench.elsewhere(session), append('first', [message(0)]));
      same(await session.getItems(), [message(0)], 'Applied once');
      await refused(apply(session, append('first', [message(1)])), 'OPERATION_CONFLICT', 'Its id is taken');
    },
    'transactions',
  ),

  promise(
    'TXN-2',
    'a clear forgets an operation together with what it appended, also one that comes at the same time',
    async (bench) => {
      const session = await bench.session();
      const other = await bench.elsewhere(session);
      for (let round = 0; round < 20; round++) {
        const operation = () => append(`round ${round}`, [message(round)]);
        await Promise.all([session.clearSession(), apply(other, operation())]);
        await apply(other, operation());
        same(
          await session.getItems(),
          [message(round)],
          'There once: kept and known, or gone and applied anew',
        );
      }
    },
    'transactions',
  ),

  promise(
    'TXN-2',
    'a compaction does not forget operations',
    async (bench) => {
      const session = await bench.session();
      await apply(session, append('a', [message(0)]));
      for (const items of [[message(5)], []]) {
        await session.replaceHistoryWithCompaction!(items);
        await apply(session, append('a', [message(0)]));
        same(await session.getItems(), items, 'The operation was known');
      }
    },
    'transactions',
    'replacement',
  ),

  promise(
    'TXN-3',
    'another transaction under a known id is refused, and so is a suffix that does not match',
    async (bench) => {
      const session = await bench.session();
      await apply(session, append('a', messages(0, 2)));
      const others = [
        append('a', messages(0, 1)),
        append('a', []),
        append('a', [message(1), message(0)]),
        replace('a', [], messages(0, 2)),
        replace('a', [message(1)], []),
      ];
      for (const other of others)
        await refused(apply(session, other), 'OPERATION_CONFLICT', 'Another transaction');
      const wrong = [[message(0)], messages(0, 3), [message(1), message(0)], [message(5)]];
      for (const suffix of wrong) {
        await refused(
          apply(session, replace('b', suffix, [message(9)])),
          'SUFFIX_MISMATCH',
          'Another suffix',
        );
      }
      same(await session.getItems(), messages(0, 2), 'Nothing was changed');
      await apply(session, append('b', [message(2)]));
      same(await session.getItems(), messages(0, 3), 'And nothing was recorded');
      const empty = await bench.session();
      await refused(apply(empty, replace('b', [message(0)], [])), 'SUFFIX_MISMATCH', 'On an empty session');
      same(await empty.getItems(), [], 'Still empty');
    },
    'transactions',
  ),

  promise(
    'TXN-3',
    'a suffix of which only a part is there is refused',
    async (bench) => {
      const session = await bench.session();
      await session.addItems(messages(0, 3));
      const wrong = [
        [message(5), message(2)],
        [message(2), message(2)],
        [message(1), message(5)],
        [message(0), message(5), message(2)],
        [message(5), message(1), message(2)],
      ];
      for (const suffix of wrong)
        await refused(
          apply(session, replace('a', suffix, [message(9)])),
          'SUFFIX_MISMATCH',
          'One item is another',
        );
      same(await session.getItems(), messages(0, 3), 'Nothing was changed');
    },
    'transactions',
  ),

  promise(
    'TXN-4',
    'an empty append is recorded',
    async (bench) => {
      const session = await bench.session();
      await apply(session, append('a', []));
      await apply(session, append('a', []));
      await refused(apply(session, append('a', [message(0)])), 'OPERATION_CONFLICT', 'The id is taken');
      same(await session.getItems(), [], 'Nothing was appended');
    },
    'transactions',
  ),

  promise(
    'TXN-4',
    'malformed transactions are refused before any change',
    async (bench) => {
      const session = await bench.session();
      await session.addItems([message(0)]);
      const { transaction } = append('', [message(1)]);
      const malformed: unknown[] = [
        undefined,
        null,
        'a',
        [],
        {},
        { transaction },
        { operationId: 'a' },
        ...['', ' ', '\t\n', 7, null, {}].map((operationId) => ({ operationId, transaction })),
        ...[null, 'append', [], {}, { type: 'append_items' }, { type: 'unknown', items: [] }].map((bad) => ({
          operationId: 'a',
          transaction: bad,
        })),
        { operationId: 'a', transaction: { ...transaction, extra: 1 } },
        { operationId: 'a', transaction: { type: 'append_items', items: 'no' } },
        { operationId: 'a', transaction: { type: 'replace_suffix', expectedSuffix: [message(0)] } },
        { operationId: 'a', transaction: { type: 'replace_suffix', replacement: [] } },
        {
          operationId: 'a',
          transaction: { type: 'replace_suffix', items: [], expectedSuffix: [], replacement: [] },
        },
      ];
      for (const args of malformed)
        await refused(apply(session, args), 'INVALID_ARGUMENT', 'Malformed arguments');
      const bad = [message(1), { content: () => 1 }];
      await refused(apply(session, append('a', bad)), 'INVALID_ITEM', 'An item that cannot be stored');
      await refused(apply(session, replace('a', [message(0)], bad)), 'INVALID_ITEM', 'One in a replacement');
      same(await session.getItems(), [message(0)], 'Nothing was changed');
      await apply(session, append('a', [message(1)]));
      same(await session.getItems(), messages(0, 2), 'And nothing was recorded');
    },
    'transactions',
  ),

  promise(
    'TXN-3',
    'a suffix that was there before a clear is not replaced after it',
    (bench) => replaceLate(bench, {}, (direct) => direct.clearSession()),
    'transactions',
    'wire',
  ),

  promise(
    'TXN-3',
    'a suffix that was there before the session expired is not replaced in the next one',
    (bench) => replaceLate(bench, { ttlSeconds: 1 }, () => sleep(1_200)),
    'transactions',
    'expiry',
    'wire',
  ),

  ...withEitherDriver(
    promise(
      'TXN-2',
      'the first call of a session that expires is applied once, whichever reply is lost',
      async (bench) => {
        for (let before = 0; before < MOST_REPLIES; before++) {
          const { proxy, connection } = await bench.proxied();
          const session = bench.sessionOn(connection, { ttlSeconds: 1_000 });
          const lost = proxy.loseNextReply(before);
          const applying = apply(session, append('a', [message(0)]));
          // An adapter that needs fewer replies is done before.
          await Promise.race([lost, applying]);
          await settlesWithin(BOUND_MS, applying, `Reply ${before + 1} was lost: the call`);
          await apply(session, append('a', [message(0)]));
          same(await (await bench.elsewhere(session)).getItems(), [message(0)], 'Once');
        }
      },
      'transactions',
      'expiry',
      'wire',
    ),
  ),

  promise(
    'TXN-4',
    'each property of the arguments is read at most once, and snapshotted at the call',
    async (bench) => {
      const session = await bench.session();
      const reads: Record<string, number> = {};
      const watched = <T extends object>(owner: T): T =>
        new Proxy(owner, {
          get(target, key, receiver) {
            reads[String(key)] = (reads[String(key)] ?? 0) + 1;
            return Reflect.get(target, key, receiver) as unknown;
          },
        });
      const items = [message(0)];
      const { operationId, transaction } = append('a', items);
      const args = watched({ operationId, transaction: watched(transaction) });
      const applying = apply(session, args);
      items[0]!.content = 'changed';
      items.push(message(1));
      args.operationId = 'changed';
      await applying;
      same(reads, { operationId: 1, transaction: 1, type: 1, items: 1 }, 'Each once, and nothing else');
      same(await session.getItems(), [message(0)], 'As it was at the call');
      await apply(session, append('a', [message(0)]));
      same(await session.getItems(), [message(0)], 'Under the id that it had at the call');
    },
    'transactions',
  ),

  {
    ...promise('TXN-1', 'an adapter without transactions does not have the method', async (bench) => {
      same('applyHistoryTransaction' in (await bench.session()), false, 'No stub');
    }),
    without: 'transactions',
  },
];
