import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startRedis } from '../src/index.ts';
import { ALL_GONE, ALL_THERE, present, type Traces, tracesOf } from './traces.ts';

let tmp: string;

beforeAll(async () => {
  vi.stubEnv('REDIS_URL', '');
  // A container's process and folder can't be seen from here.
  vi.stubEnv('DOCKER_HOST', 'unix:///nowhere.sock');
  tmp = await mkdtemp(join(tmpdir(), 'nothing-left-'));
  vi.stubEnv('TMPDIR', tmp);
});
afterAll(() => rm(tmp, { recursive: true, force: true }));

function parent(): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'parent.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('stop() leaves neither process nor folder', async () => {
  const server = await startRedis();
  const traces = await tracesOf(server.url);
  expect(present(traces)).toEqual(ALL_THERE);
  await server.stop();
  expect(present(traces)).toEqual(ALL_GONE);
});

test('a server that was started by hand leaves neither when it is interrupted', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/start.ts'), 'redis'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [, url] = /^export REDIS_URL='(.*)'$/m.exec(line.toString()) ?? [];
  const traces = await tracesOf(url!);
  expect(present(traces)).toEqual(ALL_THERE);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(present(traces)).toEqual(ALL_GONE);
});

test('a parent killed with SIGKILL leaves neither', async () => {
  const child = parent();
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const traces = JSON.parse(line.toString()) as Traces[];
  expect(traces.map(present)).toEqual([ALL_THERE, ALL_THERE, ALL_THERE, ALL_THERE]);
  child.kill('SIGKILL');
  await expect.poll(() => traces.map(present)).toEqual([ALL_GONE, ALL_GONE, ALL_GONE, ALL_GONE]);
});

test('a parent killed at any moment of starting leaves no folder', async () => {
  for (let moment = 100; moment <= 700; moment += 50) {
    const child = parent();
    await pause(moment);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await expect.poll(() => readdirSync(tmp)).toEqual([]);
});

test('a server that cannot start leaves no folder', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await expect(startRedis({ args: ['--no-such-option', '1'] })).rejects.toThrow('no-such-option');
  expect(readdirSync(tmp)).toEqual([]);
});
