import type { AnySession } from '../adapter.ts';
import { promise } from '../case.ts';
import { holds, refused, same } from '../check.ts';
import { message } from '../items.ts';

/** Ids that mean something to some store, file system, pattern or protocol. */
const HOSTILE_IDS = [
  'a:b',
  '{a}',
  '{}',
  'a}b{c',
  '*',
  '?',
  '[a]',
  'a*',
  '$where',
  '$ne',
  'a.b',
  '../a',
  '/etc/passwd',
  ' ',
  'a b',
  '\0',
  'a\0b',
  '\n',
  '\r\nDEL x\r\n',
  '%',
  '%7b',
  '%7b;',
  '__proto__',
  'constructor',
  'é',
  'e\u0301',
  'A',
  'a',
  '日本',
  '😀',
  '\u2028',
  '\ud800',
  '\ud801',
  '\udc00',
  '\ufffd',
  `${'é'.repeat(999)}z`,
  'x'.repeat(1_000),
  // Alike but for one character: wherever an id is cut, folded or hashed, it shows.
  ...[0, 1, 99, 255, 256, 399, 499, 500, 600, 744, 900, 998, 999].map((at) => {
    return `${'x'.repeat(at)}y${'x'.repeat(999 - at)}`;
  }),
];

/** Each of the sessions keeps what is its own, and takes nothing of another's with it. */
async function stayApart(sessions: readonly AnySession[]): Promise<void> {
  for (const [index, session] of sessions.entries()) await session.addItems([message(index)]);
  for (const [index, session] of sessions.entries()) {
    same(
      await session.getItems(),
      [message(index)],
      `Session ${JSON.stringify(session.sessionId)} has its own item`,
    );
  }
  for (const [index, session] of sessions.entries()) {
    if (index % 2 === 0) await session.clearSession();
    else same(await session.popItem(), message(index), 'A pop takes from its own session');
  }
  for (const session of sessions) same(await session.getItems(), [], 'Nothing is left');
}

export const identityCases = [
  promise(
    'ID-1',
    'an id that is not a non-empty string is refused when the session is built',
    async (bench) => {
      const connection = await bench.connect();
      for (const bad of [
        '',
        undefined,
        null,
        0,
        7,
        true,
        {},
        { $ne: null },
        [],
        ['a'],
        Symbol('a'),
        () => 'a',
        1n,
      ]) {
        await refused(
          () => connection.session({ sessionId: bad as string }),
          'INVALID_SESSION_ID',
          `The session id was ${typeof bad}`,
        );
      }
    },
  ),

  promise('ID-2', 'the id is given back, the same everywhere and after a clear', async (bench) => {
    const session = await bench.session();
    const other = await bench.elsewhere(session);
    same(await session.getSessionId(), session.sessionId, 'getSessionId() is the id');
    await session.addItems([message(0)]);
    await session.clearSession();
    same(await session.getSessionId(), session.sessionId, 'A clear leaves the id');
    same(await other.getSessionId(), session.sessionId, 'Another instance has the same id');
  }),

  promise(
    'ID-2',
    'asking for the id makes no call to the store',
    async (bench) => {
      const { proxy, connection } = await bench.proxied();
      const session = bench.sessionOn(connection);
      await session.getItems();
      const before = proxy.sent;
      await session.getSessionId();
      same(proxy.sent, before, 'Nothing is sent');
    },
    'wire',
  ),

  promise('ID-3', 'sessions with whatever ids never share anything', async (bench) => {
    const connection = await bench.connect();
    const root = bench.freshId();
    await stayApart(HOSTILE_IDS.map((id) => bench.sessionOn(connection, { sessionId: `${root}${id}` })));
  }),

  promise(
    'ID-3',
    'ids of nothing but such characters stay apart too, in one namespace and in many',
    async (bench) => {
      const connection = await bench.connect();
      const namespace = bench.freshId();
      await stayApart([
        ...HOSTILE_IDS.map((sessionId) => {
          return bench.sessionOn(connection, { sessionId, namespace: bench.freshId() });
        }),
        ...HOSTILE_IDS.map((sessionId) => bench.sessionOn(connection, { sessionId, namespace })),
      ]);
    },
    'namespaces',
  ),

  promise(
    'ID-3',
    'prefix and id are never joined to the same name',
    async (bench) => {
      const connection = await bench.connect();
      const root = bench.freshId();
      const pairs = [
        ['a', 'b:c'],
        ['a:b', 'c'],
        ['a', ':b:c'],
        ['a:', 'b:c'],
        ['a{', 'b'],
        ['a', '{b'],
        ['a}', 'b'],
        ['a', '}b'],
        ['a/b', 'c'],
        ['a', 'b/c'],
        ['A', 'b:c'],
        ['', 'a:b:c'],
      ] as const;
      const all = pairs.map(([name, sessionId]) => {
        return bench.sessionOn(connection, { sessionId, namespace: `${root}${name}` });
      });
      for (const [index, session] of all.entries()) await session.addItems([message(index)]);
      for (const [index, session] of all.entries()) {
        same(
          await session.getItems(),
          [message(index)],
          `Pair ${JSON.stringify(pairs[index])} is a session of its own`,
        );
      }
      await all[0]!.clearSession();
      holds((await all[1]!.getItems()).length === 1, 'Clearing one leaves the others');
      for (const session of all) await session.clearSession();
    },
    'namespaces',
  ),
];
