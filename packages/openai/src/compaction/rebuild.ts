import {
  awaitSessionMutation,
  type CapabilityCallOptions,
  type HistorySnapshot,
  SessionError,
} from '@sessions/core';
import { allItems, areSame, itemsSince } from './reading.ts';
import type { Turns } from './turns.ts';
import type { UnderlyingSession } from './underlying.ts';

/**
 * The history of a session that has the four methods only: it is cleared and written again, which is two steps. Calls
 * through the wrapper wait meanwhile; whoever else writes between the two, or looks, finds what is there.
 */
export async function rebuildable<TItem>(
  session: UnderlyingSession<TItem>,
  turns: Turns,
  options: CapabilityCallOptions | undefined,
): Promise<HistorySnapshot<TItem>> {
  const items = await turns.take(() => allItems(session, options));
  return {
    items,
    replace(replacement, replaceOptions) {
      return turns.take(async () => {
        replaceOptions?.signal?.throwIfAborted();
        const now = await allItems(session, replaceOptions);
        const appended = itemsSince(items, now);
        if (!appended) return false;
        replaceOptions?.signal?.throwIfAborted();
        await awaitSessionMutation(rebuild(session, now, [...replacement, ...appended]), {
          signal: replaceOptions?.signal,
        });
        return true;
      });
    },
  };
}

/** Puts `wanted` in the place of `before`; where that fails, `before` again. Not given up half way. */
async function rebuild<TItem>(
  session: UnderlyingSession<TItem>,
  before: TItem[],
  wanted: TItem[],
): Promise<void> {
  try {
    await session.clearSession();
    await session.addItems(wanted);
  } catch (error) {
    try {
      const found = await allItems(session, undefined);
      // The reply was lost, not the write.
      if (areSame(found, wanted)) return;
      if (!areSame(found, before)) {
        if (found.length > 0) await session.clearSession();
        await session.addItems(before);
      }
    } catch (cause) {
      throw new SessionError('OUTCOME_UNKNOWN', {
        message:
          'The history could not be replaced, nor could the old one be put back. Read it before you go on: it may be empty, or not whole.',
        adapter: 'openai',
        cause: new AggregateError([error, cause], 'Neither was written.'),
      });
    }
    throw error;
  }
}
