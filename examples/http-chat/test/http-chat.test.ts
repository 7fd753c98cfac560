import { setTimeout as pause } from 'node:timers/promises';
import { type RunningRedis, startRedis } from '@sessions/servers';
import { sign } from 'hono/jwt';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningChat, SECRET, startChat } from './running-chat.ts';

let redis: RunningRedis;
let chat: RunningChat;
let other: RunningChat;
const chats: RunningChat[] = [];

beforeAll(async () => {
  redis = await startRedis();
  [chat, other] = await Promise.all([open(), open()]);
});

afterAll(async () => {
  for (const { process } of chats) process.kill('SIGKILL');
  await Promise.all(chats.map(({ ended }) => ended));
  await redis.stop();
});

async function open(url = redis.url): Promise<RunningChat> {
  const opened = await startChat(url);
  chats.push(opened);
  return opened;
}

function someone(): string {
  return `user-${crypto.randomUUID()}`;
}

/** Until a server is at work for this user. */
async function untilAtWork(user: string): Promise<void> {
  const client = new Redis(redis.url);
  while ((await client.exists(`chat-turn:${user}`)) === 0) await pause(10);
  await client.quit();
}

test('eight messages at once, through two servers: each turn is stored once, and knows all before it', async () => {
  const user = someone();
  const questions = Array.from({ length: 8 }, (_, at) => `Question ${at}`);
  const answers = await Promise.all(questions.map((text, at) => (at % 2 ? chat : other).say(user, text)));

  const messages = await chat.messages(user);
  expect(messages.filter(({ role }) => role === 'assistant').map(({ text }) => text)).toEqual(
    questions.map((_, at) => `Answer ${at + 1}.`),
  );
  const turns = Array.from({ length: messages.length / 2 }, (_, at) => messages.slice(2 * at, 2 * at + 2));
  expect(turns.map(([question, answer]) => [question!.role, question!.text, answer!.text]).sort()).toEqual(
    questions.map((text, at) => ['user', text, answers[at]]),
  );
});

test('a server is killed in the middle of an answer, and one that is started afterwards goes on', async () => {
  const first = await open();
  const user = someone();
  await first.say(user, 'My name is Ada.');
  const cutOff = first.say(user, 'Think hard.').catch((error: unknown) => error);
  await untilAtWork(user);
  first.process.kill('SIGKILL');
  expect(await cutOff).toBeInstanceOf(TypeError);

  const second = await open();
  expect(await second.messages(user)).toEqual([
    { role: 'user', text: 'My name is Ada.' },
    { role: 'assistant', text: 'Answer 1, Ada.' },
  ]);
  expect(await second.say(user, 'Who am I?')).toBe('Answer 2, Ada.');
});

test('a server that is told to end answers first', async () => {
  const ending = await open();
  const user = someone();
  const answer = ending.say(user, 'Think hard.');
  await untilAtWork(user);
  ending.process.kill('SIGTERM');
  expect(await answer).toBe('Answer 1.');
  expect(await ending.ended).toBe(0);
  await expect(ending.say(user, 'Are you there?')).rejects.toThrow('fetch failed');
  expect(await chat.messages(user)).toHaveLength(2);
});

test('nobody gets at the session of another', async () => {
  const ada = someone();
  await chat.say(ada, 'My name is Ada.');
  for (const eve of [someone(), `${ada} `, `${ada}}:{x`, `{${ada}}`, '*', ada.toUpperCase()]) {
    expect(await chat.messages(eve)).toEqual([]);
    expect(await chat.say(eve, 'Who am I?')).toBe('Answer 1.');
    expect((await chat.send(eve, 'DELETE')).status).toBe(204);
  }
  expect(await chat.messages(ada)).toHaveLength(2);
  expect((await chat.send(ada, 'DELETE')).status).toBe(204);
  expect(await chat.messages(ada)).toEqual([]);
});

test('a token that is missing, forged, expired or of nobody is refused', async () => {
  const now = Math.floor(Date.now() / 1_000);
  const tokens = [
    await sign({ sub: 'ada' }, `${SECRET}, not`, 'HS256'),
    await sign({ sub: 'ada' }, SECRET, 'HS512'),
    await sign({ sub: 'ada', exp: now - 60 }, SECRET, 'HS256'),
    await sign({ sub: { $ne: null } }, SECRET, 'HS256'),
    await sign({}, SECRET, 'HS256'),
    'no.token.atAll',
  ];
  for (const authorization of [undefined, ...tokens.map((token) => `Bearer ${token}`)]) {
    const { status } = await fetch(chat.url, { ...(authorization && { headers: { authorization } }) });
    expect(status).toBe(401);
  }
});

test.each([
  ['no JSON', 400, '{'],
  ['no text', 400, '{}'],
  ['an empty text', 400, '{"text":" "}'],
  ['a text that is none', 400, '{"text":["Hello"]}'],
  ['a long text', 400, JSON.stringify({ text: 'x'.repeat(4_001) })],
  ['a huge body', 413, JSON.stringify({ text: 'x'.repeat(40_000) })],
])('%s is refused with %i, and nothing is stored', async (_, status, body) => {
  const user = someone();
  expect((await chat.send(user, 'POST', body)).status).toBe(status);
  expect(await chat.messages(user)).toEqual([]);
});

test('while Redis is away requests fail in time, and afterwards they work', async ({ skip }) => {
  const own = await startRedis();
  if (!own.control) return skip('the server of REDIS_URL is not to be killed');
  const cutOff = await open(own.url);
  const user = someone();
  await cutOff.say(user, 'My name is Ada.');
  await own.control.kill();
  expect((await cutOff.send(user, 'GET')).status).toBe(503);
  await own.control.restart();
  await expect.poll(() => cutOff.say(user, 'Who am I?').catch(String)).toContain('Ada');
  await own.stop();
});
