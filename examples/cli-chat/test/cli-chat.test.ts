import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AgentInputItem } from '@openai/agents';
import { RedisSession } from '@sessions/redis';
import { type RunningRedis, startRedis } from '@sessions/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { undo } from '../src/undo.ts';

let redis: RunningRedis;

beforeAll(async () => {
  redis = await startRedis();
});

afterAll(() => redis.stop());

function start(...args: string[]) {
  const script = join(import.meta.dirname, '../src/chat.ts');
  const child = spawn(process.execPath, ['--conditions=@sessions/source', script, ...args], {
    env: { ...process.env, OPENAI_API_KEY: '', REDIS_URL: redis.url },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

/** Types these lines into a chat of its own process, and gives what stands on the terminal in the end. */
async function chat(sessionId: string, ...lines: string[]): Promise<string> {
  const { child, output, ended } = start(sessionId);
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  expect(await ended).toBe(0);
  return output();
}

test('a chat goes on where another process left it, and can be shown, taken back and forgotten', async () => {
  const id = `chat-${crypto.randomUUID()}`;
  const first = await chat(id, 'My name is Ada.');
  expect(first).toContain(`${id}, a new conversation.`);
  expect(first).toContain('You are Ada.');

  const second = await chat(id, 'Who am I?', '/history', '/undo', '/quit', 'never read');
  expect(second).toContain(`${id}, 2 items so far.`);
  expect(second).toMatch(
    /user {7}My name is Ada\.\nassistant {2}You are Ada\.\nuser {7}Who am I\?\nassistant {2}You are Ada\.\n/,
  );
  expect(second).toContain('Taken back.');

  const third = await chat(id, '/undo', '/undo', 'Who am I?', '/clear', '/history', '/nonsense');
  expect(third).toContain(`${id}, 2 items so far.`);
  expect(third).toContain('There is nothing to take back.');
  expect(third).toContain('You did not say who you are.');
  expect(third).toContain('Forgotten.');
  expect(third).toContain('There is no such command.');
  await using session = new RedisSession<AgentInputItem>({ sessionId: id, url: redis.url });
  expect(await session.getItems()).toEqual([]);
});

test('an answer that is given up leaves its question, which can be taken back', async () => {
  const id = `chat-${crypto.randomUUID()}`;
  const { child, output, ended } = start(id);
  child.stdin.write('Think hard.\n');
  await expect.poll(output).toContain('…');
  child.kill('SIGINT');
  await expect.poll(output).toContain('Given up');
  await using session = new RedisSession<AgentInputItem>({ sessionId: id, url: redis.url });
  expect(await session.getItems()).toEqual([{ type: 'message', role: 'user', content: 'Think hard.' }]);
  child.stdin.write('/undo\nMy name is Ada.\n');
  await expect.poll(output).toMatch(/You are Ada\.\n> $/);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(await session.getItems()).toHaveLength(2);
});

test('of two who take the same turn back one does, and the other is told', async () => {
  await using session = new RedisSession<AgentInputItem>({ sessionId: crypto.randomUUID(), url: redis.url });
  await session.addItems(['One', 'Two'].map((content) => ({ role: 'user', content })));
  const outcomes = await Promise.all([undo(session), undo(session)]);
  expect(outcomes.sort()).toEqual(['Somebody else wrote meanwhile. Look at /history.', 'Taken back.']);
  expect(await session.getItems()).toEqual([{ role: 'user', content: 'One' }]);
});

test('without a session id it says what to do', async () => {
  const { output, ended } = start();
  expect(await ended).toBe(2);
  expect(output()).toContain('pnpm start <session id>');
});
