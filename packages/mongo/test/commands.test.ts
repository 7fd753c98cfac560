import type { CommandStartedEvent, Document, Filter, FindOptions, MongoClient } from 'mongodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MongoSession } from '../src/index.ts';
import { freshId, message, messages, mongoForTests } from './server.ts';

const mongo = mongoForTests();

type Session = MongoSession<object>;

/** The commands that a client sends while something runs. */
async function sentBy(client: MongoClient, run: () => Promise<unknown>): Promise<CommandStartedEvent[]> {
  const commands: CommandStartedEvent[] = [];
  const seen = (event: CommandStartedEvent) => commands.push(event);
  client.on('commandStarted', seen);
  await run();
  client.off('commandStarted', seen);
  return commands;
}

function namesOf(commands: readonly CommandStartedEvent[]): string[] {
  return commands.map(({ commandName }) => commandName);
}

const APPEND = ['insert'];
const COLD = ['find', 'insert'];
/** A look, and another one at the operation's own document; then where its event will be, and the event. */
const APPLY = ['find', 'find', 'insert', 'insert'];

const calls: readonly [name: string, commands: string[], call: (session: Session) => Promise<unknown>][] = [
  ['getItems()', ['find'], (session) => session.getItems()],
  ['getItems(20)', ['find'], (session) => session.getItems(20)],
  ['getItems(0)', [], (session) => session.getItems(0)],
  ['addItems of 1', APPEND, (session) => session.addItems([message(9)])],
  ['addItems of 2,000', APPEND, (session) => session.addItems(messages(2_000))],
  ['addItems of none', [], (session) => session.addItems([])],
  ['popItem', [...COLD, 'update'], (session) => session.popItem()],
  ['getSessionId', [], (session) => session.getSessionId()],
  [
    'a compaction',
    [...COLD, 'find', 'update', 'update'],
    (session) => session.replaceHistoryWithCompaction([message(9)]),
  ],
  [
    'a transaction that appends',
    APPLY,
    (session) => session.applyHistoryTransaction({ operationId: 'a', transaction: append(message(9)) }),
  ],
  [
    'a transaction that replaces the newest item',
    // What is there is read and compared first, and erased last.
    ['find', ...APPLY, 'update'],
    (session) =>
      session.applyHistoryTransaction({
        operationId: 'a',
        transaction: { type: 'replace_suffix', expectedSuffix: [message(29)], replacement: [message(9)] },
      }),
  ],
  [
    'a rewrite',
    ['find', ...COLD, 'update'],
    (session) =>
      session.applyHistoryMutations({
        mutations: [
          { type: 'replace_function_call', callId: 'c', replacement: { ...CALL, name: 'g' } as never },
        ],
      }),
  ],
];

const CALL = { type: 'function_call', callId: 'c', name: 'f' };

function append(...items: object[]): { type: 'append_items'; items: object[] } {
  return { type: 'append_items', items };
}

describe('commands on the wire', () => {
  test.each(calls)('%s after a read costs %j', async (_name, commands, call) => {
    const client = mongo.client({ monitorCommands: true });
    const session: Session = new MongoSession({ sessionId: freshId(), client });
    for (let at = 0; at < 30; at++) await session.addItems([at === 15 ? CALL : message(at)]);
    await session.getItems();
    const sent = namesOf(await sentBy(client, () => call(session)));
    expect(sent.toSorted()).toEqual(commands.toSorted());
  });

  test('an instance that has read nothing yet appends in 2', async () => {
    const client = mongo.client({ monitorCommands: true });
    const sessionId = freshId();
    for (let at = 0; at < 3; at++) {
      const session: Session = new MongoSession({ sessionId, client });
      expect(namesOf(await sentBy(client, () => session.addItems([message(at)])))).toEqual(COLD);
    }
  });

  test('an append after a read of an empty session, or after another append, costs 1', async () => {
    const client = mongo.client({ monitorCommands: true });
    const session: Session = new MongoSession({ sessionId: freshId(), client });
    await session.getItems();
    for (let at = 0; at < 3; at++) {
      expect(namesOf(await sentBy(client, () => session.addItems([message(at)])))).toEqual(APPEND);
    }
  });

  test('a pop after a pop by another instance costs 3', async () => {
    const client = mongo.client({ monitorCommands: true });
    for (const hasRead of [true, false]) {
      const sessionId = freshId();
      const open = (): Session => new MongoSession({ sessionId, client });
      const [one, other] = [open(), open()];
      for (let at = 0; at < 8; at++) await one.addItems([message(at)]);
      await one.popItem();
      if (hasRead) await other.getItems();
      const sent = await sentBy(client, async () => expect(await other.popItem()).toEqual(message(6)));
      expect(namesOf(sent)).toEqual([...COLD, 'update']);
    }
  });

  test('a batch costs what its bytes require', async () => {
    const client = mongo.client({ monitorCommands: true });
    const session: Session = new MongoSession({ sessionId: freshId(), client });
    await session.getItems();
    const large = { role: 'user', content: 'x'.repeat(10 * 1024 * 1024) };
    // Four documents of 3 MiB, and the one that makes them visible.
    const sent = await sentBy(client, () => session.addItems([large]));
    expect(namesOf(sent)).toEqual(Array(5).fill('insert'));
    const read = await sentBy(client, async () => expect(await session.getItems()).toEqual([large]));
    expect(namesOf(read)).toEqual(['find', 'find']);
  });

  test('a time to live costs a command once, and one more for a read that moves it by over a second', async () => {
    const client = mongo.client({ monitorCommands: true });
    const options = { client, ttlSeconds: 1_000, refreshTtlOnRead: true };
    const session: Session = new MongoSession({ ...options, sessionId: freshId(), collectionName: 'ending' });
    await session.getItems();
    const sent = async (call: () => Promise<unknown>) => namesOf(await sentBy(client, call));
    expect(await sent(() => session.addItems([message(0)]))).toEqual(['createIndexes', 'insert']);
    expect(await sent(() => session.getItems())).toEqual(['find']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await sent(() => session.getItems())).toEqual(['find', 'update']);
    expect(await sent(() => session.getItems(20))).toEqual(['find']);
  });

  test('a clear costs 2, and the erasure of what was there', async () => {
    const client = mongo.client({ monitorCommands: true });
    const session: Session = new MongoSession({ sessionId: freshId(), client });
    for (let at = 0; at < 250; at++) await session.addItems([message(at)]);
    const sent = namesOf(await sentBy(client, () => session.clearSession()));
    expect(sent.slice(0, 2)).toEqual(COLD);
    // Of 250 rows 100 at a time, and that it is done.
    expect(sent.filter((name) => name === 'update')).toHaveLength(4);
    // Those 250, and what else there may be of lives before.
    expect(sent.filter((name) => name === 'find')).toHaveLength(1 + 3 + 1);
    expect(sent).toHaveLength(2 + 4 + 4);
  });

  test('reading all of 2,500 events takes a command for each 1,000, and none to end it', async () => {
    const client = mongo.client({ monitorCommands: true });
    const session: Session = new MongoSession({ sessionId: freshId(), client });
    const other = client.db().collection<{ _id: string }>('sessions');
    await session.addItems([message(0)]);
    const [first] = await other.find({ _id: { $regex: session.sessionId } }).toArray();
    const head = JSON.parse((first as unknown as { head: string }).head) as object;
    await other.insertMany(
      Array.from({ length: 2_499 }, (_, at) => ({
        ...first,
        _id: first!._id.replace(/\d+$/, String(at + 2).padStart(15, '0')),
        head: JSON.stringify({ ...head, id: String(at), under: [at + 1, 1] }),
      })),
    );
    const fresh: Session = new MongoSession({ sessionId: session.sessionId, client });
    const sent = await sentBy(client, async () => expect(await fresh.getItems()).toHaveLength(2_500));
    expect(namesOf(sent).length).toBeLessThanOrEqual(4);
    expect(namesOf(sent).every((name) => name === 'find')).toBe(true);
  });

  test('the TTL index is asked for once a collection, however many sessions write at once', async () => {
    const client = mongo.client({ monitorCommands: true });
    const sent = await sentBy(client, () =>
      Promise.all(
        Array.from({ length: 10 }, () =>
          new MongoSession<object>({ sessionId: freshId(), client, ttlSeconds: 100 }).addItems([message(0)]),
        ),
      ),
    );
    expect(namesOf(sent).filter((name) => name === 'createIndexes')).toHaveLength(1);
    const indexes = await client.db().collection('sessions').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { removeAt: 1 }, expireAfterSeconds: 0 }));
  });

  test('building a session makes no call', async () => {
    const client = mongo.client({ monitorCommands: true });
    const sent = await sentBy(client, async () => {
      for (let count = 0; count < 100; count++) new MongoSession({ sessionId: freshId(), client });
    });
    expect(sent).toEqual([]);
  });
});

test('getItems(20) walks the index of _id backwards, and reads nothing outside the session', async () => {
  const client = mongo.client({ monitorCommands: true });
  const sessions = Array.from(
    { length: 3 },
    () => new MongoSession<object>({ sessionId: freshId(), client, collectionName: 'explained' }),
  );
  for (const session of sessions) {
    for (let at = 0; at < 40; at++) await session.addItems([message(at)]);
  }
  const [sent] = await sentBy(client, () => sessions[1]!.getItems(20));
  const { filter, sort, limit, hint } = sent!.command as FindOptions & { filter: Filter<Document> };
  const found = client
    .db()
    .collection('explained')
    .find(filter, { sort, limit, hint } as FindOptions);
  const plan = JSON.stringify(await found.explain('executionStats'));
  expect(plan).toContain('"stage":"IXSCAN"');
  expect(plan).toContain('"direction":"backward"');
  expect(plan).not.toContain('COLLSCAN');
  const { sessionId } = sessions[1]!;
  const [first, last] = [`${sessionId}/e000000000000001`, `${sessionId}/e~`];
  expect(filter).toEqual({ _id: { $gte: first, $lte: last } });
  // SecantusDB tells no bounds, and reads all that is within them before it looks at the limit; none reads other sessions'.
  const bounds = /"indexBounds":\{"_id":(\[.*?\])\}/.exec(plan)?.[1];
  if (mongo.server().engine === 'mongodb') expect(JSON.parse(bounds!)).toEqual([`["${last}", "${first}"]`]);
  for (const what of ['Keys', 'Docs']) {
    const examined = Number(new RegExp(`"total${what}Examined":(\\d+)`).exec(plan)![1]);
    expect(examined, what).toBeGreaterThanOrEqual(20);
    expect(examined, what).toBeLessThanOrEqual(bounds ? 21 : 40);
  }
});

test('one document is asked for by its _id alone', async () => {
  const client = mongo.client({ monitorCommands: true });
  const session = new MongoSession<object>({ sessionId: freshId(), client, collectionName: 'explained' });
  const apply = () => session.applyHistoryTransaction({ operationId: 'a', transaction: append(message(9)) });
  await apply();
  for (let at = 0; at < 40; at++) await session.addItems([message(at)]);
  const [, , sent] = await sentBy(client, apply);
  const { filter, hint } = sent!.command as FindOptions & { filter: Filter<Document> };
  expect(filter).toEqual({ _id: expect.stringContaining('/e') as string });
  // A server told to follow an index does not take the shortest way, and some then read all of it.
  expect(hint).toBeUndefined();
  const found = client.db().collection('explained').find(filter);
  const plan = JSON.stringify(await found.explain('executionStats'));
  expect(plan).not.toContain('COLLSCAN');
  expect(Number(/"totalDocsExamined":(\d+)/.exec(plan)![1])).toBeLessThanOrEqual(1);
});
