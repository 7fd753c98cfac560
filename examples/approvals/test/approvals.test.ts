import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AgentInputItem } from '@openai/agents';
import { RedisSession } from '@sessions/redis';
import { type RunningRedis, startRedis } from '@sessions/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';

let redis: RunningRedis;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis.stop());

/** Runs a command in a process of its own, and kills that one when it says `killAt`. */
async function command(args: string[], killAt?: string): Promise<{ code: number | null; output: string }> {
  const script = join(import.meta.dirname, '../src/approvals.ts');
  const child = spawn(process.execPath, ['--conditions=@sessions/source', script, ...args], {
    env: { ...process.env, OPENAI_API_KEY: '', REDIS_URL: redis.url },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (killAt && output.includes(killAt)) child.kill('SIGKILL');
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** What the history consists of, each item by its type and what it says. */
async function history(sessionId: string): Promise<string[]> {
  await using session = new RedisSession<AgentInputItem>({ sessionId, url: redis.url });
  return (await session.getItems()).map((item) => {
    const { type = 'message', role = '', content, arguments: args, output } = item as Record<string, unknown>;
    return `${type} ${role} ${JSON.stringify(content ?? args ?? output)}`;
  });
}

test.concurrent('one process asks, another approves, though two try; the history has each item once', async () => {
  const id = `trip-${crypto.randomUUID()}`;
  const asked = await command([id, 'ask', 'Book TP 577.']);
  expect(asked).toEqual({ code: 0, output: 'To be approved: book {"flight":"TP 577"}\n' });

  const approved = await Promise.all([command([id, 'approve']), command([id, 'approve'])]);
  expect(approved.map(({ code }) => code).sort()).toEqual([0, 1]);
  const output = approved.map((one) => one.output).join('');
  expect(output.match(/Booking TP 577/g)).toHaveLength(1);
  expect(output).toContain('Nothing waits here.');

  expect(await history(id)).toEqual([
    'message user "Book TP 577."',
    String.raw`function_call  "{\"flight\":\"TP 577\"}"`,
    expect.stringMatching(/^function_call_result .*TP 577 is booked/),
    expect.stringMatching(/^message assistant .*TP 577 is booked/),
  ]);
});

test.concurrent('what is rejected is not done, and the conversation goes on', async () => {
  const id = `trip-${crypto.randomUUID()}`;
  await command([id, 'ask', 'Book TP 577.']);
  const again = await command([id, 'ask', 'Book TP 578.']);
  expect(again).toEqual({ code: 1, output: 'Something waits here already. Approve or reject it first.\n' });
  const { code, output } = await command([id, 'reject']);
  expect(code).toBe(0);
  expect(output).not.toContain('Booking');
  expect((await history(id)).map((item) => item.split(' ')[0])).toEqual([
    ...['message', 'function_call', 'function_call_result', 'message'],
  ]);
});

test.concurrent('one who approved is killed: nothing is done twice, and it can be asked again', async () => {
  const id = `trip-${crypto.randomUUID()}`;
  await command([id, 'ask', 'Book TP 577.']);
  const killed = await command([id, 'approve'], 'Booking');
  expect(killed.code).toBe(null);

  await command([id, 'ask', 'Book TP 577, if it is not.']);
  const { code, output } = await command([id, 'approve']);
  expect(code).toBe(0);
  expect(output).toContain('TP 577 is booked.');
});
