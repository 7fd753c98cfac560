import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { FIRST_START_MS, type MongoEngine, startMongo, whyAbsent } from '../src/index.ts';

beforeEach(() => void vi.stubEnv('MONGODB_URL', ''));
afterEach(() => void vi.unstubAllEnvs());

function clientOf(url: string): MongoClient {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  onTestFinished(() => client.close());
  return client;
}

describe.each<{ engine: MongoEngine; names: RegExp }>([
  { engine: 'mongodb', names: /^(mongodb|secantusdb)$/ },
  { engine: 'ferretdb', names: /^ferretdb$/ },
])('$engine', ({ engine, names }) => {
  const missing = engine === 'ferretdb' ? whyAbsent('go', engine) : undefined;
  beforeAll(async () => {
    if (missing === undefined) await (await startMongo({ engine })).stop();
  }, FIRST_START_MS);
  beforeEach((context) => context.skip(missing !== undefined, missing));

  test('answers, says what it is, and keeps what it acknowledged over a restart', async () => {
    const server = await startMongo({ engine });
    expect(server.engine).toMatch(names);
    expect(server.version).toMatch(/^\d+\.\d+/);
    const kept = clientOf(server.url).db('d').collection<{ _id: string }>('c');
    await kept.insertOne({ _id: 'kept' }, { writeConcern: { w: 'majority', journal: true } });
    await server.control!.kill();
    await expect(clientOf(server.url).db().command({ ping: 1 })).rejects.toThrow('ECONNREFUSED');
    await server.control!.restart();
    const after = clientOf(server.url).db('d').collection<{ _id: string }>('c');
    expect(await after.find().toArray()).toEqual([{ _id: 'kept' }]);
    await server.stop();
    await expect(clientOf(server.url).db().command({ ping: 1 })).rejects.toThrow('ECONNREFUSED');
  });
});

test('the URL of the environment comes first, and its server is not ours to control', async () => {
  const first = await startMongo();
  vi.stubEnv('MONGODB_URL', first.url);
  const second = await startMongo();
  expect(second).toMatchObject({ source: 'environment', url: first.url, port: first.port });
  expect(second).not.toHaveProperty('control');
  const others = [await startMongo({ args: ['--auth'] }), await startMongo({ own: true })];
  for (const { port, source } of others) {
    expect(port).not.toBe(first.port);
    expect(source).not.toBe('environment');
  }
  await Promise.all([first, second, ...others].map((server) => server.stop()));
});

test('a server takes orders to fail', async () => {
  const server = await startMongo({ own: true });
  const client = clientOf(server.url);
  const failPoint = {
    configureFailPoint: 'failCommand',
    data: { failCommands: ['insert'], errorCode: 16_500 },
  };
  await client.db('admin').command({ ...failPoint, mode: 'alwaysOn' });
  await expect(client.db().collection('c').insertOne({})).rejects.toMatchObject({ code: 16_500 });
  await client.db('admin').command({ ...failPoint, mode: 'off' });
  await client.db().collection('c').insertOne({});
  await server.stop();
});

test('without Go and without FerretDB it is said what would help', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.stubEnv('PATH', '');
  vi.stubEnv('SESSIONS_CACHE', join(import.meta.dirname, 'nowhere'));
  await expect(startMongo({ engine: 'ferretdb' })).rejects.toThrow(
    /package: there is no go on the PATH\n.*Have go on the PATH/,
  );
  expect(whyAbsent('go', 'some server')).toBe('there is no go on the PATH');
  expect(stderr.mock.calls.join('')).toContain(
    'some server: its tests are skipped: there is no go on the PATH',
  );
});
