// A run that waits for a person, in processes that know nothing of each other but REDIS_URL and the session id:
// pnpm start <session id> ask <request>, then pnpm start <session id> approve, or reject.
import { RunState, type RunToolApprovalItem, run } from '@openai/agents';
import { RedisSession } from '@sessions/redis';
import { Redis } from 'ioredis';
import { agent } from './agent.ts';
import { WaitingRuns } from './waiting-runs.ts';

/** What matters here of a run that is over, or waits. */
interface Stopped {
  readonly interruptions: readonly Pick<RunToolApprovalItem, 'name' | 'arguments'>[];
  readonly finalOutput?: unknown;
  readonly state: { toString(): string };
}

const [sessionId = '', command = '', ...words] = process.argv.slice(2);
const redis = new Redis(process.env.REDIS_URL || 'redis://localhost:6379');
redis.on('error', ({ message }: Error) => console.error(`Redis: ${message}`));

try {
  await obey();
} finally {
  await redis.quit();
}

async function obey(): Promise<void> {
  if (!sessionId) return fail('pnpm start <session id> ask <request> | approve | reject');
  const session = new RedisSession({ sessionId, client: redis });
  const waiting = new WaitingRuns(redis);

  if (command === 'ask') {
    if (await waiting.has(sessionId))
      return fail('Something waits here already. Approve or reject it first.');
    await tell(await run(agent, words.join(' '), { session }), waiting);
  } else if (command === 'approve' || command === 'reject') {
    const taken = await waiting.take(sessionId);
    if (taken === null) return fail('Nothing waits here.');
    const state = await RunState.fromString(agent, taken);
    for (const interruption of state.getInterruptions()) state[command](interruption);
    await tell(await run(agent, state, { session }), waiting);
  } else fail(`There is no command "${command}".`);
}

/** Says how far the run got, and keeps it if a person has to be asked: of this process nothing else is left. */
async function tell(stopped: Stopped, waiting: WaitingRuns): Promise<void> {
  if (stopped.interruptions.length === 0) return console.log(stopped.finalOutput);
  await waiting.keep(sessionId, stopped.state.toString());
  for (const { name, arguments: given } of stopped.interruptions)
    console.log(`To be approved: ${name} ${given}`);
}

function fail(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}
