import { createHash } from 'node:crypto';
import type { RedisClient } from './connection.ts';
import { redisError } from './redis-error.ts';

/** A Lua script, and the name under which a server keeps it. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

export function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/**
 * Runs a script in one command; in two on a server that does not know it yet, or was made to forget it (FLT-4).
 *
 * @param unanswered - what is known if the server does not answer
 * @throws SessionError with what the failure says about the call
 */
export async function run(
  client: RedisClient,
  { lua, sha }: Script,
  args: (string | number | Buffer)[],
  unanswered: 'UNAVAILABLE' | 'OUTCOME_UNKNOWN',
): Promise<unknown> {
  try {
    try {
      return await client.call('evalsha', [sha, ...args]);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return await client.call('eval', [lua, ...args]);
    }
  } catch (error) {
    throw redisError(error, unanswered);
  }
}
