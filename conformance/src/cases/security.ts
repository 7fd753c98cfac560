import { inspect } from 'node:util';
import { promise } from '../case.ts';
import { failure, holds, same } from '../check.ts';
import { message } from '../items.ts';
import { withEitherDriver } from './either-driver.ts';
import { SECRET } from './secret.ts';

/** Everything that an error says, whoever prints it. */
function said(error: unknown): string {
  return `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${String(error)}`;
}

/** Items whose text means something to some store. */
const ATTACKS: readonly unknown[] = [
  { $set: { admin: true } },
  { $where: 'sleep(1000)' },
  { content: "'; DROP TABLE sessions; --" },
  { content: '\r\n*1\r\n$8\r\nFLUSHALL\r\n' },
  { content: 'return redis.call("FLUSHALL")' },
  { content: '$'.concat('{process.exit(1)}') },
  { content: '{{constructor.constructor("return 1")()}}' },
  { content: '../../../../etc/passwd' },
  { type: 'delete_session' },
];

export const securityCases = [
  promise('SEC-1', 'no refusal shows content', async (bench) => {
    const session = await bench.session();
    const bad = [
      () => session.addItems([{ content: SECRET, bad: () => SECRET }]),
      () => session.addItems([{ content: SECRET, list: [SECRET, Symbol(SECRET)] }]),
      () => session.addItems([{ content: SECRET + 'x'.repeat(33 * 1024 * 1024) }]),
      () => session.addItems(SECRET as never),
      () => session.getItems(SECRET as never),
    ];
    if (session.applyHistoryTransaction) {
      const conflicting = (content: string) => ({ type: 'append_items' as const, items: [{ content }] });
      const apply = session.applyHistoryTransaction.bind(session);
      await apply({ operationId: 'a', transaction: conflicting(SECRET) });
      bad.push(
        () => apply({ operationId: 'a', transaction: conflicting(`${SECRET}2`) }),
        () =>
          apply({
            operationId: 'b',
            transaction: {
              type: 'replace_suffix',
              expectedSuffix: [{ content: `${SECRET}3` }],
              replacement: [],
            },
          }),
      );
    }
    for (const call of bad) {
      const text = said(await failure(call, 'A bad call'));
      holds(!text.includes(SECRET), 'The error shows no content', text.slice(0, 500));
    }
  }),

  ...withEitherDriver(
    promise(
      'SEC-1',
      'no failure of the store shows content',
      async (bench) => {
        const { proxy, connection } = await bench.proxied();
        const warm = bench.sessionOn(connection);
        await warm.addItems([message(0)]);
        const session = bench.sessionOn(connection, { sessionId: warm.sessionId, timeoutMs: 200 });
        const lost = proxy.loseNextReply();
        const adding = failure(session.addItems([{ content: SECRET }]), 'The store vanished');
        await lost;
        proxy.refuse();
        const errors = [
          await adding,
          await failure(session.addItems([{ content: SECRET }]), 'The store is down'),
        ];
        for (const error of errors)
          holds(!said(error).includes(SECRET), 'The error shows no content', said(error));
      },
      'wire',
    ),
  ),

  promise(
    'SEC-1',
    'content is nowhere but in the records',
    async (bench) => {
      const session = await bench.session();
      const secret = bench.freshId();
      const items = [{ content: secret }];
      if (session.applyHistoryTransaction) {
        await session.applyHistoryTransaction({
          operationId: 'a',
          transaction: { type: 'append_items', items },
        });
      } else {
        await session.addItems(items);
      }
      const shown = await bench.contentsWith(secret);
      same(shown.length, 1, 'Once, in the record');
    },
    'contents',
  ),

  promise('SEC-2', 'no item acts as an operator, a script, a command or a path', async (bench) => {
    const session = await bench.session();
    const bystander = await bench.session();
    await bystander.addItems([message(0)]);
    await session.addItems([...ATTACKS]);
    same(await session.getItems(), ATTACKS, 'They are data');
    for (const attack of ATTACKS.toReversed()) same(await session.popItem(), attack, 'And stay so');
    same(await bystander.getItems(), [message(0)], 'Others are untouched');
  }),

  promise(
    'SEC-2',
    'no id reaches another session',
    async (bench) => {
      const connection = await bench.connect();
      const namespace = bench.freshId();
      const victim = bench.sessionOn(connection, { sessionId: 'victim', namespace });
      await victim.addItems([message(0)]);
      const ids = [
        '*',
        'victim*',
        'vict?m',
        '[v]ictim',
        '^victim',
        'victim\0',
        '../victim',
        './victim',
        'victim/',
        'VICTIM',
        'victim ',
        'victim:items',
        '{victim}',
        '$gt',
        '%76ictim',
        'victim\n',
      ];
      for (const sessionId of ids) {
        const attacker = bench.sessionOn(connection, { sessionId, namespace });
        same(await attacker.getItems(), [], `${JSON.stringify(sessionId)} reads nothing`);
        same(await attacker.popItem(), undefined, 'Pops nothing');
        await attacker.addItems([message(1)]);
        await attacker.clearSession();
      }
      same(await victim.getItems(), [message(0)], 'The victim is as it was');
    },
    'namespaces',
  ),
];
