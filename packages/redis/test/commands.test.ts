import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RedisSession } from '../src/index.ts';
import { freshId, message, redisForTests } from './server.ts';

const redis = redisForTests();

type Session = RedisSession<object>;

/** The commands that a client sends while something runs; those that a script makes inside the server are not sent. */
async function sentBy(client: Redis, run: () => Promise<unknown>): Promise<string[]> {
  const [, address] = /\baddr=(\S+)/.exec((await client.client('INFO')) as string)!;
  const monitor = await new Redis(redis.server().url).monitor();
  onTestFinished(() => monitor.disconnect());
  const commands: string[] = [];
  const seen = new Promise<void>((resolve) => {
    monitor.on('monitor', (_time: string, args: string[], source: string) => {
      if (source !== address) return;
      if (args[0] === 'echo') resolve();
      else commands.push(args[0]!.toLowerCase());
    });
  });
  await run();
  await client.echo('end');
  await seen;
  return commands;
}

const FEW: readonly [name: string, commands: number, call: (session: Session) => Promise<unknown>][] = [
  ['getItems()', 1, (session) => session.getItems()],
  ['getItems(2)', 1, (session) => session.getItems(2)],
  ['getItems(0)', 0, (session) => session.getItems(0)],
  ['addItems of 1', 1, (session) => session.addItems([message(9)])],
  [
    'addItems of 5,000',
    1,
    (session) => session.addItems(Array.from({ length: 5_000 }, (_, at) => message(at))),
  ],
  ['addItems of none', 0, (session) => session.addItems([])],
  ['popItem', 1, (session) => session.popItem()],
  ['clearSession', 1, (session) => session.clearSession()],
  ['getSessionId', 0, (session) => session.getSessionId()],
  [
    'an append transaction',
    1,
    (session) =>
      session.applyHistoryTransaction({
        operationId: 'a',
        transaction: { type: 'append_items', items: [message(9)] },
      }),
  ],
  [
    'a suffix replacement',
    2,
    (session) =>
      session.applyHistoryTransaction({
        operationId: 'a',
        transaction: { type: 'replace_suffix', expectedSuffix: [message(2)], replacement: [message(9)] },
      }),
  ],
  [
    'a suffix replacement that does not match',
    2,
    (session) =>
      session
        .applyHistoryTransaction({
          operationId: 'a',
          transaction: { type: 'replace_suffix', expectedSuffix: [message(8)], replacement: [] },
        })
        .catch(() => undefined),
  ],
  [
    'a rewrite',
    2,
    (session) =>
      session.applyHistoryMutations({
        mutations: [
          {
            type: 'replace_function_call',
            callId: 'c',
            replacement: { type: 'function_call', callId: 'c', name: 'g' } as never,
          },
        ],
      }),
  ],
  ['a compaction', 1, (session) => session.replaceHistoryWithCompaction([message(9)])],
];

describe('commands on the wire', () => {
  test.each(FEW)('%s costs %i', async (_name, commands, call) => {
    for (const options of [{}, { ttlSeconds: 100, refreshTtlOnRead: true }]) {
      const client = redis.client();
      const prepared = async () => {
        const session: Session = new RedisSession({ sessionId: freshId(), client, ...options });
        await session.addItems([message(0), { type: 'function_call', callId: 'c', name: 'f' }]);
        await session.addItems([message(1), message(2)]);
        return session;
      };
      // The first run of a script on a server takes one command more, which brings it there.
      await call(await prepared());
      const session = await prepared();
      const sent = await sentBy(client, () => call(session));
      expect(sent, sent.join()).toHaveLength(commands);
    }
  });

  test('a pop costs more only for damaged records and long ones', async () => {
    const client = redis.client();
    const session: Session = new RedisSession({ sessionId: freshId(), client });
    const items = `sessions:{${session.sessionId}}:items`;
    await session.addItems([message(0), message(1), { content: 'x'.repeat(5_000) }]);
    const long = await sentBy(client, () => session.popItem());
    expect(long).toHaveLength(3);
    await client.rpush(items, 'damaged', 'damaged');
    expect(await sentBy(client, () => session.popItem())).toHaveLength(3);
    expect(await sentBy(client, () => session.popItem())).toHaveLength(1);
  });

  test('building a session makes no call', async () => {
    const client = redis.client();
    const sent = await sentBy(client, async () => {
      for (let count = 0; count < 100; count++) new RedisSession({ sessionId: freshId(), client });
    });
    expect(sent).toEqual([]);
  });
});
