import { describe, expect, test } from 'vitest';
import { MongoSession } from '../src/index.ts';
import { refused, SECRET } from './refused.ts';
import { freshId, message, mongoForTests } from './server.ts';

const mongo = mongoForTests();

const MIB = 1024 * 1024;

describe('what is too long or too large', () => {
  test('no session id is: beyond 512 bytes its SHA-256 stands for it', async () => {
    const client = mongo.client();
    const collectionName = freshId();
    const long = 'é'.repeat(500_000);
    const ids = ['x'.repeat(512), 'x'.repeat(513), long, `${long}.`, '/'.repeat(512)];
    const sessions = ids.map((sessionId) => new MongoSession<object>({ sessionId, client, collectionName }));
    for (const [at, session] of sessions.entries()) await session.addItems([message(at)]);
    for (const [at, session] of sessions.entries()) expect(await session.getItems()).toEqual([message(at)]);
    const documents = await client.db().collection<{ _id: string }>(collectionName).find().toArray();
    for (const { _id } of documents) expect(Buffer.byteLength(_id)).toBeLessThan(1_024);
  });

  test('an item over the maximum is refused, and nothing is sent', async () => {
    const client = mongo.client({ monitorCommands: true });
    const session = new MongoSession<object>({ sessionId: freshId(), client });
    await session.addItems([message(0)]);
    const sent: string[] = [];
    client.on('commandStarted', ({ commandName }) => sent.push(commandName));
    const large = { role: 'user', content: SECRET.content.repeat(5 * MIB) };
    await refused(
      session.addItems([SECRET, large]),
      'ITEM_TOO_LARGE',
      /maximum of 33554432 bytes.*store the payload elsewhere/,
    );
    const batch = Array(3).fill({ role: 'user', content: 'x'.repeat(30 * MIB) });
    await refused(session.addItems(batch), 'ITEM_TOO_LARGE', /maximum of 67108864 bytes/);
    expect(sent).toEqual([]);
    expect(await session.getItems()).toEqual([message(0)]);
  });
});

test('SEC-2 content that looks like operators and names of fields is content', async () => {
  const client = mongo.client({ ignoreUndefined: true });
  const items: object[] = [
    { $set: { texts: [] }, $where: 'sleep(1000)', 'a.b': { $gt: '' }, '': 1, _id: 'other', rev: 0 },
    JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as object,
    { _bsontype: 'ObjectId', $oid: '0123456789abcdef01234567', $numberLong: '7', $date: 0, $binary: 'AA==' },
    { $ref: 'sessions', $id: 1, $db: 'test', texts: ['a'], head: '{}', removeAt: new Date(0).toISOString() },
    { content: '{"$ne":null}', nested: [[{ $expr: { $function: { body: 'function() {}', args: [] } } }]] },
  ];
  const ids = ['$where', '{"$ne":null}', '__proto__', 'a.b', '.*', '$', 'e000000000000001', '/e', ''];
  for (const id of ids.filter((one) => one !== '')) {
    const session = new MongoSession<object>({ sessionId: id, client, collectionName: 'odd' });
    await session.addItems(items);
    expect(await session.getItems()).toEqual(items);
    await session.applyHistoryTransaction({
      operationId: id,
      transaction: { type: 'replace_suffix', expectedSuffix: items.slice(3), replacement: [items[0]!] },
    });
    expect(await session.popItem()).toEqual(items[0]);
    expect(await session.getItems()).toEqual(items.slice(0, 3));
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
