import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startRedis } from '@sessions/servers';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '../src/responses-loop.ts');

/** Runs the example as a person does who has no key. */
async function loop(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@sessions/source', script, ...args],
    { env: { ...process.env, OPENAI_API_KEY: '', REDIS_URL: '', ...env } },
  );
  return stdout;
}

test('a loop remembers what was said, though the history is compacted on the way', async () => {
  const output = await loop({});
  expect(output).toContain('API: a stand-in on this machine');
  expect(output).toContain('Store: the memory of this process');
  expect(output).toContain('assistant  Lisbon: sunny, 24 °C.');
  expect(output).toMatch(/12 items, compacted to 3\n/);
  expect(output).toContain('assistant  You are Ada.');
});

test('in Redis the conversation goes on in another process', async () => {
  const server = await startRedis();
  try {
    const id = `loop-${crypto.randomUUID()}`;
    const first = await loop({ REDIS_URL: server.url }, id);
    expect(first).toContain(`Session: ${id}, 0 items`);
    const [left] = first.match(/\d+(?= items\n$)/) ?? [];
    const second = await loop({ REDIS_URL: server.url }, id);
    expect(second).toContain(`Session: ${id}, ${left} items`);
    expect(second).toContain('assistant  You are Ada.');
  } finally {
    await server.stop();
  }
});
