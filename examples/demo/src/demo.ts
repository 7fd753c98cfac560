// A conversation that outlives the process which held it. Run it with `npm run demo` in the root.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { AgentInputItem } from '@openai/agents';
import { MemorySession, MemoryStore } from '@sessions/memory';
import { RedisSession } from '@sessions/redis';
import { type RunningRedis, ServerUnavailableError, startRedis } from '@sessions/servers';
import { Redis } from 'ioredis';
import { modelName } from './agent.ts';
import { talk } from './talk.ts';
import type { Report } from './talking-process.ts';
import { verdict } from './verdict.ts';

const HELLO = 'My name is Ada, and I fly to Lisbon on Friday. What will the weather be?';
const PLAN = 'Plan my weekend there, hour by hour.';
const REMIND = 'Remind me: what is my name, where do I fly, and will it be warm?';

/** How much of an answer is said before its process is killed. */
const WORDS_BEFORE_KILL = 12;

const sessionId = `demo-${crypto.randomUUID().slice(0, 8)}`;

say('Looking for a Redis server, or getting one, which may take a minute the first time ...');
const server = await startRedis().catch((error: unknown) => {
  if (error instanceof ServerUnavailableError) return error;
  throw error;
});
const story = server instanceof Error ? inMemory(server) : acrossProcesses(server);
const problems = await story.catch((error: unknown) => [String(error)]);
for (const problem of problems) say(styleText('red', `FAILED: ${problem}`));
process.exitCode = problems.length === 0 ? 0 : 1;

async function acrossProcesses({ engine, version, source, host, port, url, stop }: RunningRedis) {
  const client = new Redis(url);
  const key = `sessions:{${sessionId}}:items`;
  try {
    say(`Store: ${engine} ${version} on ${host}:${port}, a real server (source: ${source})`);
    say(`Model: ${modelName}`);

    title(`1. A process begins the conversation "${sessionId}"`);
    const first = await converse(url, [HELLO, PLAN], PLAN);
    say(
      `\n  ${styleText('red', `process ${first.pid} was killed with SIGKILL in the middle of its answer`)}`,
    );

    title('2. Another process goes on with it; all it was given is the session id');
    const second = await converse(url, [REMIND]);

    title(`3. What the store holds now: LRANGE ${key} 0 -1`);
    const stored = await client.lrange(key, 0, -1);
    return conclude([...first.turns, ...second.turns], stored);
  } finally {
    await new RedisSession({ sessionId, client }).clearSession();
    await client.quit();
    await stop();
  }
}

/** Lets a process of its own talk, and kills it once it is some words into its answer to `killDuring`. */
async function converse(url: string, messages: string[], killDuring?: string) {
  const child = fork(join(import.meta.dirname, 'talking-process.ts'), [sessionId, ...messages], {
    env: { ...process.env, REDIS_URL: url },
  });
  const turns: AgentInputItem[][] = [];
  let words = 0;
  child.on('message', (report: Report) => {
    if ('turn' in report) turns.push(report.turn);
    else if (report.saying === killDuring && ++words === WORDS_BEFORE_KILL) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (killDuring ? signal !== 'SIGKILL' : code !== 0) {
    throw new Error(`process ${child.pid} ended otherwise than planned: ${signal ?? `exit code ${code}`}`);
  }
  return { pid: child.pid, turns };
}

async function inMemory(why: ServerUnavailableError) {
  say('Store: the memory of this process, because no server can be started here.');
  say(`Model: ${modelName}`);
  say(styleText('dim', `\n${why.message}`));
  say('\nWhat is in memory dies with its process: that a conversation goes on after a kill needs a server.');

  title(`A conversation in one process; each turn opens the session "${sessionId}" anew`);
  const store = new MemoryStore();
  const turns: AgentInputItem[][] = [];
  for (const message of [HELLO, REMIND]) {
    turns.push(await talk(new MemorySession({ sessionId, store }), message));
  }

  title('What the session holds now');
  const items = await new MemorySession({ sessionId, store }).getItems();
  const stored = items.map((item) => JSON.stringify(item));
  return conclude(turns, stored);
}

/** Shows what is stored and checks it against what the finished turns consisted of. */
function conclude(turns: readonly AgentInputItem[][], stored: readonly string[]): string[] {
  for (const record of stored) say(`  ${record}`);
  say('');
  const problems = verdict(turns, stored);
  if (problems.length === 0) {
    const checked = 'Checked: nothing was lost and nothing doubled.';
    const found = `The ${stored.length} items of the finished turns are stored, once each and in order,`;
    say(styleText('green', `${checked} ${found} and no other.`));
  }
  return problems;
}

function title(text: string): void {
  say(`\n${styleText('bold', text)}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
