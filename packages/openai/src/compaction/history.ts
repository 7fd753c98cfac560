import type { CapabilityCallOptions, HistorySnapshot } from '@sessions/core';
import { rebuildable } from './rebuild.ts';
import { transactional } from './transaction.ts';
import type { Turns } from './turns.ts';
import type { AnyCapability, UnderlyingSession } from './underlying.ts';

/**
 * All that a session holds, and the safest way that it has to put something else in its place: one change that is
 * guarded by the version, else one that is guarded by what it replaces, else a clear and an append.
 */
export function wholeHistory<TItem>(
  session: UnderlyingSession<TItem> & AnyCapability<TItem>,
  turns: Turns | undefined,
  options: CapabilityCallOptions | undefined,
): Promise<HistorySnapshot<TItem>> {
  if (session.snapshotHistory) return session.snapshotHistory(options);
  return turns ? rebuildable(session, turns, options) : transactional(session, options);
}

/** Whether what is between two steps of a replacement can be seen, so that the wrapper's own calls have to wait for it. */
export function needsTurns(session: AnyCapability<unknown>): boolean {
  return !session.snapshotHistory && !session.applyHistoryTransaction;
}
