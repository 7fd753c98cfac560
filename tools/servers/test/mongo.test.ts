import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type MongoEngine, startMongo } from '../src/index.ts';

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
  const other = await startMongo({ args: ['--auth'] });
  expect(other.port).not.toBe(first.port);
  await Promise.all([first.stop(), second.stop(), other.stop()]);
});
