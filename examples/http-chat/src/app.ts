import { type AgentInputItem, run } from '@openai/agents';
import { isSessionError } from '@sessions/core';
import { RedisSession } from '@sessions/redis';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { type JwtVariables, jwt } from 'hono/jwt';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { agent } from './agent.ts';
import { BusyError, inTurn } from './turns.ts';

const DAY_SECONDS = 24 * 60 * 60;
const LONGEST_ANSWER_MS = 60_000;
const STORE_TIMEOUT_MS = 3_000;
const NEWEST_SHOWN = 100;

const Message = z.object({ text: z.string().trim().min(1).max(4_000) });

type Env = { Variables: JwtVariables<{ sub?: unknown }> };

/** The chat: `POST /messages` asks, `GET /messages` shows the conversation, `DELETE /messages` forgets it. */
export function chat(redis: Redis, secret: string): Hono<Env> {
  const app = new Hono<Env>();
  app.use('/messages', jwt({ secret, alg: 'HS256' }), bodyLimit({ maxSize: 32 * 1024 }));

  app.post('/messages', async (c) => {
    const user = userOf(c);
    const message = Message.safeParse(await c.req.json().catch(() => undefined));
    if (!message.success) return c.json({ error: 'Send { "text": "…" }, of at most 4,000 characters.' }, 400);
    const { text } = message.data;
    // A client that hangs up does not end this: the answer is stored, and the next GET shows it.
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
    const { finalOutput } = await inTurn(redis, user, () =>
      run(agent, text, { session: sessionOf(user), signal }),
    );
    return c.json({ text: finalOutput });
  });

  app.get('/messages', async (c) => {
    const items = await sessionOf(userOf(c)).getItems(NEWEST_SHOWN);
    return c.json({ messages: items.flatMap(shown) });
  });

  app.delete('/messages', async (c) => {
    const user = userOf(c);
    // In turn, or the answer under way would be stored afterwards.
    await inTurn(redis, user, () => sessionOf(user).clearSession());
    return c.body(null, 204);
  });

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    if (error instanceof BusyError) return c.json({ error: error.message }, 503, { 'Retry-After': '5' });
    // Not the error itself: what a model or a tool throws may hold what the user wrote.
    console.error(error.name, isSessionError(error) ? `${error.code}: ${error.message}` : '');
    if (isSessionError(error, 'OUTCOME_UNKNOWN')) {
      return c.json({ error: 'It may have been saved. GET /messages before you send it again.' }, 500);
    }
    return c.json({ error: 'That did not work. Try again.' }, 503, { 'Retry-After': '5' });
  });

  // Cheap: building a session makes no call.
  function sessionOf(user: string): RedisSession {
    return new RedisSession({
      sessionId: user,
      client: redis,
      prefix: 'chat',
      ttlSeconds: 30 * DAY_SECONDS,
      timeoutMs: STORE_TIMEOUT_MS,
    });
  }

  return app;
}

/** Who asks, by the signed token and nothing else: so nobody gets at another's session. */
function userOf(c: Context<Env>): string {
  const { sub } = c.get('jwtPayload');
  if (typeof sub === 'string' && sub !== '') return sub;
  throw new HTTPException(401, { message: 'The token names no user.' });
}

/** What people see of an item: what was said, and not which tools were called. */
function shown(item: AgentInputItem): { role: string; text: string }[] {
  if (!('role' in item) || !('content' in item)) return [];
  const { role, content } = item;
  if (typeof content === 'string') return [{ role, text: content }];
  return [{ role, text: content.map((part) => ('text' in part ? part.text : '')).join('') }];
}
