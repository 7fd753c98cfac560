import { join, resolve } from 'node:path';

/** Where what was installed for one server is kept, for all runs to come. */
export function cacheOf(name: string): string {
  const cache = process.env.SESSIONS_CACHE ?? resolve(import.meta.dirname, '../../../.cache');
  return join(cache, 'servers', name);
}
