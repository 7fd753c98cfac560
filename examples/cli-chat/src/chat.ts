// A chat in the terminal: [REDIS_URL=…] pnpm start <session id>. Ctrl-C gives up an answer, or ends the chat.
import { createInterface } from 'node:readline';
import { type AgentInputItem, run } from '@openai/agents';
import { isSessionError } from '@sessions/core';
import { RedisSession } from '@sessions/redis';
import { agent } from './agent.ts';
import { lineOf } from './line-of.ts';
import { undo } from './undo.ts';

const [sessionId] = process.argv.slice(2);
if (!sessionId) {
  console.error('pnpm start <session id>: any name; the same one goes on with the conversation');
  process.exit(2);
}

await using session = new RedisSession<AgentInputItem>({
  sessionId,
  url: process.env.REDIS_URL || 'redis://localhost:6379',
});
let answering: AbortController | undefined;

try {
  const { length } = await session.getItems();
  console.log(length ? `${sessionId}, ${length} items so far.` : `${sessionId}, a new conversation.`);
  console.log('/history shows it, /undo takes the last turn back, /clear forgets it, /quit ends the chat.');
  await talk();
} catch (error) {
  // What can be helped is said by the message.
  if (!isSessionError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}

async function talk(): Promise<void> {
  using terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  let isOpen = true;
  terminal.once('close', () => {
    isOpen = false;
  });
  const interrupt = () => (answering ? answering.abort() : terminal.close());
  terminal.on('SIGINT', interrupt);
  process.on('SIGINT', interrupt);
  terminal.prompt();
  for await (const line of terminal) {
    if (line.trim() === '/quit') return;
    await obey(line.trim());
    if (isOpen) terminal.prompt();
  }
}

async function obey(line: string): Promise<void> {
  switch (line) {
    case '':
      return;
    case '/history':
      return (await session.getItems()).forEach((item) => void console.log(lineOf(item)));
    case '/undo':
      return console.log(await undo(session));
    case '/clear':
      await session.clearSession();
      return console.log('Forgotten.');
    default:
      return line.startsWith('/') ? console.log('There is no such command.') : answer(line);
  }
}

async function answer(question: string): Promise<void> {
  answering = new AbortController();
  process.stdout.write('… ');
  try {
    const turn = await run(agent, question, { session, stream: true, signal: answering.signal });
    for await (const text of turn.toTextStream()) process.stdout.write(text);
    await turn.completed;
    console.log();
  } catch (error) {
    if (isSessionError(error)) throw error;
    if (!answering.signal.aborted) console.log(`No answer: ${(error as Error).message}`);
  } finally {
    // The runner stores the question of a streamed run that is given up.
    if (answering.signal.aborted) console.log('Given up; /undo takes the question back.');
    answering = undefined;
  }
}
