import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningRedis, startRedis } from '../src/index.ts';
import { redisCall } from '../src/resp.ts';

let server: RunningRedis;

beforeAll(async () => {
  vi.stubEnv('REDIS_URL', '');
  server = await startRedis();
});
afterAll(() => server.stop());

test('a started server answers and says what it is', async () => {
  expect(await redisCall(server.url, [['PING']])).toEqual(['PONG']);
  expect(server.url).toBe(`redis://${server.host}:${server.port}`);
  expect(server.engine).toMatch(/^(valkey|redis)$/);
  expect(server.version).toMatch(/^\d+\.\d+/);
});

test('two servers at once have ports and data of their own', async () => {
  const other = await startRedis();
  await redisCall(server.url, [['SET', 'whose', 'first']]);
  expect(other.port).not.toBe(server.port);
  expect(await redisCall(other.url, [['GET', 'whose']])).toEqual([null]);
  await other.stop();
});

test('further arguments reach the server', async () => {
  const small = await startRedis({ args: ['--maxmemory', '7mb'] });
  const [config] = await redisCall(small.url, [['CONFIG', 'GET', 'maxmemory']]);
  expect(config).toEqual(['maxmemory', String(7 * 1024 * 1024)]);
  await small.stop();
});

test('a killed server refuses, and keeps what it acknowledged over the restart', async () => {
  await redisCall(server.url, [['RPUSH', 'kept', 'a', 'b']]);
  await server.control!.kill();
  await expect(redisCall(server.url, [['PING']])).rejects.toThrow('ECONNREFUSED');
  await server.control!.restart();
  expect(await redisCall(server.url, [['LRANGE', 'kept', '0', '-1']])).toEqual([['a', 'b']]);
});

test('a frozen server leaves a command without an answer until it is thawed', async () => {
  await server.control!.freeze();
  const command = redisCall(server.url, [['PING']], 30_000);
  await expect(redisCall(server.url, [['PING']], 500)).rejects.toThrow('no answer after 500 ms');
  await server.control!.thaw();
  expect(await command).toEqual(['PONG']);
});

test('a frozen server can be killed, and a stopped one takes no more orders', async () => {
  const other = await startRedis();
  await other.control!.freeze();
  await other.control!.kill();
  await other.control!.restart();
  await other.control!.freeze();
  await Promise.all([other.stop(), other.stop()]);
  await other.stop();
  await expect(other.control!.restart()).rejects.toThrow('the server was stopped');
});
