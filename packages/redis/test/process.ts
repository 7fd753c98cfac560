import type { Connection, Json } from '@sessions/conformance';
import { RedisSession } from '../src/index.ts';

/** Opens Redis sessions in another process; each has a connection of its own. */
export async function open(options: Json): Promise<Connection> {
  const { url, prefix } = options as { url: string; prefix: string };
  const sessions: RedisSession<unknown>[] = [];
  return {
    session(request) {
      const { namespace = '', ...rest } = request;
      const session = new RedisSession<unknown>({ ...rest, url, prefix: prefix + namespace });
      sessions.push(session);
      return session;
    },
    async close() {
      for (const session of sessions) await session.close();
    },
  };
}
