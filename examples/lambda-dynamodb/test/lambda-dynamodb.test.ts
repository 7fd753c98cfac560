import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AgentInputItem } from '@openai/agents';
import { DynamoDBSession } from '@sessions/dynamodb';
import type { RunningDynamoDB } from '@sessions/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventOf, startTable } from '../src/local.ts';

process.env.OPENAI_API_KEY = '';

let server: RunningDynamoDB;
let handler: typeof import('../src/handler.ts').handler;
let client: DynamoDBClient;

beforeAll(async () => {
  server = await startTable();
  ({ handler } = await import('../src/handler.ts'));
  client = new DynamoDBClient({});
});

afterAll(async () => {
  client.destroy();
  await server.stop();
});

function someone(): string {
  return `user-${crypto.randomUUID()}`;
}

async function ask(user: string, requestId: string, text: string, remainingMs = 30_000) {
  const event = eventOf(user, requestId, JSON.stringify({ text }));
  const { statusCode, body } = await handler(event, { getRemainingTimeInMillis: () => remainingMs });
  return { status: statusCode, ...(JSON.parse(body!) as { text?: string; error?: string }) };
}

function conversation(user: string) {
  const tableName = process.env.SESSIONS_TABLE!;
  return new DynamoDBSession<AgentInputItem>({ client, tableName, prefix: 'chat', sessionId: user });
}

test('the conversation goes on with the next request', async () => {
  const user = someone();
  await ask(user, 'request-1', 'My name is Ada.');
  expect(await ask(user, 'request-2', 'Who am I?')).toMatchObject({
    status: 200,
    text: expect.stringContaining('You are Ada.'),
  });
  expect(await conversation(user).getItems()).toHaveLength(4);
});

test('a request that is sent again, later or at the same time, has one answer and is stored once', async () => {
  const user = someone();
  const atOnce = await Promise.all(Array.from({ length: 5 }, () => ask(user, 'request-1', 'Who am I?')));
  const answers = new Set([...atOnce, await ask(user, 'request-1', 'Who am I?')].map(({ text }) => text));
  expect(answers.size).toBe(1);
  const [question, answer, ...more] = await conversation(user).getItems();
  expect(question).toEqual({ role: 'user', content: 'Who am I?' });
  expect(answer).toMatchObject({ role: 'assistant', content: [{ text: [...answers][0] }] });
  expect(more).toEqual([]);
});

test('a try that ended before the conversation had the turn is finished by the next', async () => {
  const user = someone();
  const { text } = await ask(user, 'request-1', 'Who am I?');
  // As it was in between.
  await conversation(user).clearSession();
  expect(await ask(user, 'request-1', 'Who am I?')).toEqual({ status: 200, text });
  expect(await conversation(user).getItems()).toHaveLength(2);
});

test('an id is for one question of one user', async () => {
  const [ada, eve] = [someone(), someone()];
  await ask(ada, 'request-1', 'My name is Ada.');
  expect((await ask(ada, 'request-1', 'Who am I?')).status).toBe(409);
  expect((await ask(eve, 'request-1', 'My name is Ada.')).status).toBe(200);
  expect((await ask(eve, 'request-2', 'Who am I?')).status).toBe(200);
  expect(await conversation(ada).getItems()).toHaveLength(2);
  expect(await conversation(eve).getItems()).toHaveLength(4);
});

test('when the time runs out nothing is stored, and the same request can be sent again', async () => {
  const user = someone();
  expect(await ask(user, 'request-1', 'Think hard.', 3_200)).toMatchObject({ status: 503 });
  expect(await conversation(user).getItems()).toEqual([]);
  expect(await ask(user, 'request-1', 'Think hard.')).toMatchObject({ status: 200 });
  expect(await conversation(user).getItems()).toHaveLength(2);
});

test('while the store is away the reply comes in time, and afterwards the same request is answered', async ({
  skip,
}) => {
  if (!server.control) return skip('the server of DYNAMODB_URL is not to be killed');
  const user = someone();
  await server.control.kill();
  expect(await ask(user, 'request-1', 'Who am I?')).toMatchObject({ status: 503 });
  await server.control.restart();
  expect(await ask(user, 'request-1', 'Who am I?')).toMatchObject({ status: 200 });
});

test.each([
  ['no id', 'ada', undefined, '{"text":"Hello"}'],
  ['a short id', 'ada', '1', '{"text":"Hello"}'],
  ['a blank id', 'ada', ' '.repeat(20), '{"text":"Hello"}'],
  ['no JSON', 'ada', 'request-1', '{'],
  ['null', 'ada', 'request-1', 'null'],
  ['no text', 'ada', 'request-1', '{"text":" "}'],
  ['a long text', 'ada', 'request-1', JSON.stringify({ text: 'x'.repeat(4_001) })],
  ['no user', undefined, 'request-1', '{"text":"Hello"}'],
])('a request with %s is refused', async (_, user, requestId, body) => {
  const context = { getRemainingTimeInMillis: () => 30_000 };
  expect(await handler(eventOf(user, requestId, body), context)).toMatchObject({ statusCode: 400 });
});
