import { promise } from '../case.ts';
import { same } from '../check.ts';
import { message, messages } from '../items.ts';

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

  promise('CLR-4', 'clearing an unknown session succeeds', async (bench) => {
    const session = await bench.session();
    await session.clearSession();
    await session.clearSession();
    same(await session.getItems(), [], 'It is empty');
  }),
];
