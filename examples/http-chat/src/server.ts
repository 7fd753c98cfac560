// A chat over HTTP: CHAT_SECRET=… [REDIS_URL=…] [PORT=…] pnpm start
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Redis } from 'ioredis';
import { chat } from './app.ts';

/** Time enough for an answer to be finished, and less than an orchestrator waits before it kills. */
const LONGEST_GOODBYE_MS = 25_000;

const { CHAT_SECRET = '', REDIS_URL = 'redis://localhost:6379', PORT = '3000' } = process.env;
if (CHAT_SECRET.length < 32) {
  console.error(
    'Set CHAT_SECRET to at least 32 characters, the same on each server: users’ tokens are signed with it.',
  );
  process.exit(1);
}

const redis = new Redis(REDIS_URL);
// It connects again by itself, and requests tell what fails meanwhile.
redis.on('error', ({ message }: Error) => console.error(`Redis: ${message}`));

const server = serve({ fetch: chat(redis, CHAT_SECRET).fetch, port: Number(PORT) }, ({ port }) =>
  console.log(`Listening on http://localhost:${port}`),
);

// Not `once`: the SDK listens too, and ends the process at once if nobody else does.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, shutDown);

/** Takes no more requests, and answers those that it has. */
async function shutDown(): Promise<void> {
  setTimeout(() => process.exit(1), LONGEST_GOODBYE_MS).unref();
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  await closed;
  await redis.quit();
}
