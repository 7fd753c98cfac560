import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '../src/demo.ts');

/** Runs the demo as a person does, but with the scripted model and not on a terminal. */
async function demo(env: NodeJS.ProcessEnv, onOutput: (output: string) => void = () => undefined) {
  const child = spawn(process.execPath, ['--conditions=@sessions/source', script], {
    env: { ...process.env, OPENAI_API_KEY: '', REDIS_URL: '', FORCE_COLOR: undefined, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onOutput(output);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test('a conversation outlives the process that held it, and the server that held it is gone', async () => {
  const { code, output } = await demo({});
  expect(output).toMatch(/Store: (valkey|redis) [\d.]+ on 127\.0\.0\.1:\d+, a real server/);
  expect(output).toContain('Model: a scripted one');
  expect(output).not.toContain('\u001b');

  const [, one, two, three] = output.split(/^\d\. /m) as [string, string, string, string];
  const [first] = /process \d+/.exec(one)!;
  const [second] = /process \d+/.exec(two)!;
  expect(second).not.toBe(first);
  expect(one).toContain('tool says  Lisbon on Friday: sunny, 24 °C');
  expect(one).toMatch(new RegExp(`Here is your weekend.*\n  ${first} was killed with SIGKILL`));
  expect(two).toContain('You are Ada, you fly to Lisbon on Friday, and it will be sunny, 24 °C.');

  const records = three.split('\n').filter((line) => line.startsWith('  {'));
  expect(records.map((line) => JSON.parse(line).type)).toEqual([
    ...['message', 'function_call', 'function_call_result', 'message'],
    ...['message', 'message'],
  ]);
  expect(three).not.toContain('hour by hour');
  expect(three).toContain('Checked: nothing was lost and nothing doubled. The 6 items');
  expect(code).toBe(0);

  const [, port] = /127\.0\.0\.1:(\d+)/.exec(output)!;
  await expect(once(connect(Number(port), '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
});

/** A cleared session is gone but for the ids of its changes, which go by themselves. */
async function expectNothingButExpiring(client: Redis): Promise<void> {
  for (const key of await client.keys('*')) {
    expect(key).toContain(':change:');
    expect(await client.strlen(key)).toBe(0);
    expect(await client.pttl(key)).toBeGreaterThan(0);
  }
}

test('an item that is stored twice is noticed, and in a server of yours nothing is left behind', async () => {
  const server = await startRedis();
  const client = new Redis(server.url);
  let doubling: Promise<void> | undefined;
  let latest = '';
  const { code, output } = await demo({ REDIS_URL: server.url }, (soFar) => {
    latest = soFar;
    if (soFar.includes('was killed')) doubling ??= doubleFirstItem();
  });
  await doubling;
  expect(output).toContain('source: environment');
  expect(output).toContain('FAILED: the 7 stored items are not the 6 of the finished turns');
  expect(output).not.toContain('Checked:');
  expect(code).toBe(1);
  await expectNothingButExpiring(client);
  client.disconnect();
  await server.stop();

  async function doubleFirstItem(): Promise<void> {
    const [key] = await client.keys('*:items');
    await client.rpush(key!, (await client.lindex(key!, 0))!);
    expect(latest).not.toContain('3. What the store holds');
  }
});

test('a model that cannot be reached is a failure, and nothing is left behind either', async () => {
  const server = await startRedis();
  const { code, output } = await demo({
    REDIS_URL: server.url,
    OPENAI_API_KEY: 'not a key',
    OPENAI_BASE_URL: 'http://127.0.0.1:1',
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  });
  expect(output).toMatch(/Model: OpenAI's .*, since OPENAI_API_KEY is set/);
  expect(output).toMatch(/FAILED: Error: process \d+ ended otherwise than planned: exit code 1/);
  expect(code).toBe(1);
  const client = new Redis(server.url);
  await expectNothingButExpiring(client);
  client.disconnect();
  await server.stop();
});

test('without a server it says so and why, and holds a conversation in memory', async () => {
  const nothing = mkdtempSync(join(tmpdir(), 'demo-'));
  const { code, output } = await demo({ PATH: nothing, SESSIONS_CACHE: join(nothing, 'cache') });
  expect(output).toContain('Store: the memory of this process, because no server can be started here.');
  expect(output).toContain('there is no valkey-server on the PATH');
  expect(output).toContain('there is no python3 on the PATH');
  expect(output).toContain('What is in memory dies with its process');
  expect(output).toContain('You are Ada, you fly to Lisbon on Friday, and it will be sunny, 24 °C.');
  expect(output).toContain('Checked: nothing was lost and nothing doubled. The 6 items');
  expect(code).toBe(0);
  rmSync(nothing, { recursive: true });
});
