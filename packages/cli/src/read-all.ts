import type { StoredSession } from '@sessions/core/store';

/** Reads a whole session, and says on stderr if something in it will never be read by anybody (GET-7). */
export async function readAll(session: StoredSession<unknown>, signal: AbortSignal): Promise<unknown[]> {
  const { items, damaged = 0 } = await session.snapshotHistory({ signal });
  if (damaged > 0) console.error(`sessions: damaged records were passed over: ${damaged}`);
  return items;
}
