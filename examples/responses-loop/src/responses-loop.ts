// A conversation over the Responses API, with nothing but the bare client: `pnpm start [session id]` in this folder.
// With REDIS_URL it is kept there, and goes on when the same session id is given again.
import { MemorySession } from '@sessions/memory';
import { OpenAIResponsesCompactionSession } from '@sessions/openai';
import { RedisSession } from '@sessions/redis';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { answer } from './answer.ts';
import { connect } from './connect.ts';

const QUESTIONS = [
  'My name is Ada, and I fly to Lisbon. What will the weather be?',
  'And in Porto?',
  'And in Faro?',
  'And in Braga?',
  'Remind me: what is my name?',
];

const sessionId = process.argv[2] ?? `loop-${crypto.randomUUID()}`;
const url = process.env.REDIS_URL;

const { client, model, about, stop } = await connect();
// Any session will do, of the API's own items.
const underlyingSession = url
  ? new RedisSession<ResponseInputItem>({ sessionId, url, ttlSeconds: 3_600 })
  : new MemorySession<ResponseInputItem>({ sessionId });
const session = new OpenAIResponsesCompactionSession<ResponseInputItem>({ underlyingSession, client, model });

console.log(`API: ${about}`);
console.log(`Store: ${url ? 'Redis' : 'the memory of this process; set REDIS_URL to keep the conversation'}`);
console.log(`Session: ${sessionId}, ${(await session.getItems()).length} items\n`);
try {
  for (const question of QUESTIONS) {
    console.log(`user       ${question}`);
    const { text, responseId } = await answer(client, model, session, question);
    console.log(`assistant  ${text}`);
    const before = (await session.getItems()).length;
    // Does nothing until there is enough to be made shorter.
    const compacted = await session.runCompaction({ responseId });
    const after = (await session.getItems()).length;
    console.log(`           ${before} items${compacted ? `, compacted to ${after}` : ''}`);
  }
} finally {
  await underlyingSession.close();
  await stop();
}
