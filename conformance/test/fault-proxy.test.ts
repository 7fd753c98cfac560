import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FaultProxy } from '../src/index.ts';

let store: Server;
/** What reached the store. */
let arrived: string;
let proxy: FaultProxy;

beforeEach(async () => {
  arrived = '';
  store = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      arrived += data;
      socket.write(`re:${data}`);
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
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([arrived, before.got, during.got]).toEqual(['', '', '']);
  proxy.pass();
  await expect.poll(() => [before.got, during.got]).toEqual(['re:a', 're:b']);
});
