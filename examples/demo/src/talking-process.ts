// One process that holds a conversation: REDIS_URL=... node talking-process.ts <session id> <message>... It
// tells the process that started it, the demo, of each bit of an answer and of the items of each finished
// turn.
import type { AgentInputItem } from '@openai/agents';
import { RedisSession } from '@sessions/redis';
import { talk } from './talk.ts';

export type Report = { saying: string } | { turn: AgentInputItem[] };

const [sessionId, ...messages] = process.argv.slice(2) as [string, ...string[]];
// The demo was ended.
process.on('disconnect', () => process.exit());
process.on('uncaughtException', (error) => {
  process.stderr.write(`  ${error}\n`);
  process.exit(1);
});

const session = new RedisSession({ sessionId, url: process.env.REDIS_URL!, ttlSeconds: 3_600 });
for (const message of messages) {
  const turn = await talk(session, message, () => report({ saying: message }));
  await report({ turn });
}
await session.close();
process.disconnect();

function report(what: Report): Promise<void> {
  return new Promise((resolve) => process.send!(what, () => resolve()));
}
