// A conversation of many turns, which does not grow for ever: pnpm start [session id]
// With REDIS_URL it is kept there, and goes on when the same session id is given again.
import { type AgentInputItem, run } from '@openai/agents';
import { MemorySession } from '@sessions/memory';
import { RedisSession } from '@sessions/redis';
import { travelAgent } from './agent.ts';
import { CompactingSession } from './compacting-session.ts';
import { connect } from './connect.ts';

const CITIES = [
  'Lisbon',
  'Porto',
  'Faro',
  'Braga',
  'Coimbra',
  'Evora',
  'Aveiro',
  'Sintra',
  'Tavira',
  'Lagos',
];

/** From this many items on a history is compacted. */
const LONG = 20;

const sessionId = process.argv[2] ?? `long-${crypto.randomUUID()}`;
const url = process.env.REDIS_URL;
const model = process.env.OPENAI_MODEL || 'gpt-5.5';

const { client, about, stop } = await connect();
const underlyingSession = url
  ? new RedisSession<AgentInputItem>({ sessionId, url })
  : new MemorySession<AgentInputItem>({ sessionId });
const session = new CompactingSession(
  {
    underlyingSession,
    client,
    model,
    shouldTriggerCompaction: ({ sessionItems }) => sessionItems.length >= LONG,
  },
  (error) => console.error(`Not compacted: ${(error as Error).message}`),
);

console.log(`API: ${about}`);
console.log(`Store: ${url ? 'Redis' : 'the memory of this process; set REDIS_URL to keep the conversation'}`);
console.log(`Session: ${sessionId}, ${(await session.getItems()).length} items`);
try {
  const agent = travelAgent(client, model);
  for (const city of CITIES) {
    const { finalOutput, state } = await run(agent, `How is ${city}?`, { session });
    const { length } = await session.getItems();
    console.log(`${finalOutput} (${length} items, ${state.usage.requests} requests)`);
  }
} finally {
  await underlyingSession.close();
  await stop();
}
