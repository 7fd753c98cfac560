import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FaultProxy } from '../src/index.ts';

let store: Server;
/** What reached the store. */
let arrived: string;
/** How much has to reach the store before it answers. */
let whole: number;
let proxy: FaultProxy;

beforeEach(async () => {
  arrived = '';
  whole = 0;
  store = createServer((socket) => {
    let unanswered = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      arrived += data;
      unanswered += data;
      if (arrived.length < whole) return;
      socket.write(`re:${unanswered}`);
      unanswered = '';
    });
  });
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  proxy = await FaultProxy.before({ host: '127.0.0.1', port: (store.address() as { port: number }).port });
});

afterEach(async () => {
  await proxy.close();
  await new Promise((resolve) => store.close(resolve));
});

interface Client {
  readonly socket: Socket;
  got: string;
  closed: boolean;
}

async function connect(): Promise<Client> {
  const socket = createConnection(proxy.address);
  const client: Client = { socket, got: '', closed: false };
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    client.got += data;
  });
  socket.on('close', () => {
    client.closed = true;
  });
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  return client;
}

/** Long enough for what should not come. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

test('passes what comes, both ways, and counts it', async () => {
  const client = await connect();
  client.socket.write('hello');
  await expect.poll(() => client.got).toBe('re:hello');
  expect([proxy.sent, proxy.received, proxy.clients]).toEqual([5, 8, 1]);
});

test('loses a reply after the store got the request', async () => {
  const client = await connect();
  const lost = proxy.loseNextReply();
  client.socket.write('a');
  await lost;
  await expect.poll(() => client.closed).toBe(true);
  expect([arrived, client.got]).toEqual(['a', '']);
  const next = await connect();
  next.socket.write('b');
  await expect.poll(() => next.got).toBe('re:b');
});

test('loses the reply after so many others', async () => {
  const client = await connect();
  const lost = proxy.loseNextReply(2);
  for (const [request, got] of [
    ['a', 're:a'],
    ['b', 're:are:b'],
  ]) {
    client.socket.write(request!);
    await expect.poll(() => client.got).toBe(got);
  }
  client.socket.write('c');
  await lost;
  await expect.poll(() => client.closed).toBe(true);
  expect([arrived, client.got]).toEqual(['abc', 're:are:b']);
});

test('loses a request before the store gets it', async () => {
  const client = await connect();
  const lost = proxy.loseNextRequest();
  client.socket.write('a');
  await lost;
  await expect.poll(() => client.closed).toBe(true);
  expect(arrived).toBe('');
});

test('cuts a request in the middle', async () => {
  const client = await connect();
  const cut = proxy.cutNextRequest();
  client.socket.write('abcdef');
  await cut;
  await expect.poll(() => client.closed).toBe(true);
  await expect.poll(() => arrived).toBe('abc');
});

test('of a large request nothing follows its beginning', async () => {
  const client = await connect();
  const cut = proxy.cutNextRequest();
  client.socket.write('x'.repeat(4_000_000));
  await cut;
  await expect.poll(() => client.closed).toBe(true);
  await expect.poll(() => arrived.length).toBeGreaterThan(0);
  await quiet();
  // What the proxy gets at once is 64 KiB at most.
  expect(arrived.length).toBeLessThanOrEqual(1 << 15);
});

test('cuts a reply in the middle', async () => {
  const client = await connect();
  const cut = proxy.cutNextReply();
  client.socket.write('abcde');
  await cut;
  await expect.poll(() => client.closed).toBe(true);
  expect([arrived, client.got]).toEqual(['abcde', 're:a']);
});

test('counts requests and replies, not the pieces that they come in', async () => {
  const client = await connect();
  const lost = proxy.loseNextRequest(1);
  // One that answers a beginning would make another request of the rest.
  whole = 1_000_000;
  client.socket.write('x'.repeat(1_000_000));
  await expect.poll(() => arrived.length).toBe(1_000_000);
  await expect.poll(() => client.got.length).toBeGreaterThan(1_000_000);
  expect(client.closed).toBe(false);
  client.socket.write('never');
  await lost;
  await expect.poll(() => client.closed).toBe(true);
  expect(arrived.length).toBe(1_000_000);
});

test.each([
  'loseNextRequest',
  'cutNextRequest',
  'holdNextRequest',
  'stallNextRequest',
  'loseNextReply',
  'cutNextReply',
  'holdNextReply',
] as const)('%s comes after so many others, and only once', async (fault) => {
  const first = await connect();
  const happened = proxy[fault](2);
  for (const [request, got] of [
    ['a', 're:a'],
    ['b', 're:are:b'],
  ]) {
    first.socket.write(request!);
    await expect.poll(() => first.got).toBe(got);
  }
  first.socket.write('c');
  await happened;
  proxy.pass();
  const next = await connect();
  next.socket.write('d');
  await expect.poll(() => next.got).toBe('re:d');
});

test('holds a request back, and lets it through afterwards', async () => {
  const client = await connect();
  const held = proxy.holdNextRequest();
  client.socket.write('a');
  await held;
  client.socket.write('b');
  await quiet();
  expect([arrived, client.got]).toEqual(['', '']);
  proxy.pass();
  await expect.poll(() => arrived).toBe('ab');
  await expect.poll(() => client.got).toMatch(/b$/);
  expect([proxy.sent, proxy.received]).toEqual([2, client.got.length]);
});

test('stalls one connection, and lets others pass', async () => {
  const [client, other] = [await connect(), await connect()];
  const stalled = proxy.stallNextRequest();
  client.socket.write('a');
  await stalled;
  other.socket.write('b');
  await expect.poll(() => other.got).toBe('re:b');
  await quiet();
  expect([arrived, client.got, client.closed]).toEqual(['b', '', false]);
  proxy.pass();
  await expect.poll(() => client.got).toBe('re:a');
});

test('holds a reply back, and lets it through afterwards', async () => {
  const client = await connect();
  const held = proxy.holdNextReply();
  client.socket.write('a');
  await held;
  await quiet();
  expect([arrived, client.got]).toEqual(['a', '']);
  proxy.pass();
  await expect.poll(() => client.got).toBe('re:a');
  expect([proxy.sent, proxy.received]).toEqual([1, 4]);
});

test('a fault that has not happened is forgotten when all passes again', async () => {
  const client = await connect();
  void proxy.loseNextRequest();
  proxy.pass();
  client.socket.write('a');
  await expect.poll(() => client.got).toBe('re:a');
});

test('delays what comes, in order, and no longer than it was told to', async () => {
  const client = await connect();
  proxy.delay(100);
  const started = performance.now();
  client.socket.write('a');
  await expect.poll(() => arrived).toBe('a');
  expect(performance.now() - started).toBeGreaterThan(95);
  proxy.pass();
  // What is on its way goes on taking its time, and what comes after it does not overtake it.
  client.socket.write('b');
  await expect.poll(() => client.got).toBe('re:are:b');
  expect(performance.now() - started).toBeGreaterThan(190);
  client.socket.write('c');
  await expect.poll(() => client.got).toBe('re:are:bre:c');
});

test('what is delayed arrives though its sender has gone', async () => {
  const client = await connect();
  proxy.delay(100);
  client.socket.end('a');
  await expect.poll(() => client.closed).toBe(true);
  await expect.poll(() => arrived).toBe('a');
  await expect.poll(() => proxy.clients).toBe(0);
});

test('refuses, drops what stands, and passes again', async () => {
  const before = await connect();
  proxy.refuse();
  await expect.poll(() => before.closed).toBe(true);
  const during = await connect();
  await expect.poll(() => during.closed).toBe(true);
  proxy.pass();
  const after = await connect();
  after.socket.write('a');
  await expect.poll(() => after.got).toBe('re:a');
});

test('hangs, keeps what comes, and lets it through afterwards', async () => {
  const before = await connect();
  proxy.hang();
  before.socket.write('a');
  const during = await connect();
  during.socket.write('b');
  await expect.poll(() => proxy.clients).toBe(2);
  await quiet();
  expect([arrived, before.got, during.got]).toEqual(['', '', '']);
  proxy.pass();
  await expect.poll(() => [before.got, during.got]).toEqual(['re:a', 're:b']);
});
