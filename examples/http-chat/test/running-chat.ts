import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sign } from 'hono/jwt';

export const SECRET = 'a secret of the tests, and of no one else';

export interface RunningChat {
  readonly url: string;
  readonly process: ChildProcess;
  /** Resolves to the exit code, or `null` if it was killed. */
  readonly ended: Promise<number | null>;
  send(user: string, method: string, body?: string): Promise<Response>;
  /** The answer to a message. */
  say(user: string, text: string): Promise<string>;
  messages(user: string): Promise<{ role: string; text: string }[]>;
}

/** Starts the server as a person would, in a process of its own. */
export async function startChat(redisUrl: string): Promise<RunningChat> {
  const child = spawn(
    process.execPath,
    ['--conditions=@sessions/source', join(import.meta.dirname, '../src/server.ts')],
    {
      env: { ...process.env, OPENAI_API_KEY: '', REDIS_URL: redisUrl, CHAT_SECRET: SECRET, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = `${/http:\S+/.exec(line)![0]}/messages`;

  async function send(user: string, method: string, body?: string): Promise<Response> {
    const authorization = `Bearer ${await sign({ sub: user }, SECRET, 'HS256')}`;
    return fetch(url, { method, headers: { authorization }, ...(body !== undefined && { body }) });
  }
  return {
    url,
    process: child,
    ended,
    send,
    async say(user, text) {
      const response = await send(user, 'POST', JSON.stringify({ text }));
      const body = (await response.json()) as { text?: string };
      if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(body)}`);
      return body.text!;
    },
    async messages(user) {
      const body = (await (await send(user, 'GET')).json()) as { messages: { role: string; text: string }[] };
      return body.messages;
    },
  };
}
