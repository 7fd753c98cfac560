import { createHash } from 'node:crypto';
import type { RedisClient } from './connection.ts';

/** A Lua script, and the name under which a server keeps it. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

export function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** Runs a script in one command; in two on a server that does not know it yet, or was made to forget it (FLT-4). */
export async function run(
  client: RedisClient,
  { lua, sha }: Script,
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
): Promise<unknown> {
  try {
    return await client.call('evalsha', [sha, keys.length, ...keys, ...args]);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return client.call('eval', [lua, keys.length, ...keys, ...args]);
  }
}
