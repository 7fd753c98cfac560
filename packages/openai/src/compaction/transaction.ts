import type { CapabilityCallOptions, HistorySnapshot, HistoryTransactionAwareSession } from '@sessions/core';
import { allItems, areSame, itemsSince } from './reading.ts';
import type { AnyCapability, UnderlyingSession } from './underlying.ts';

/** How often others may be first before it is given up. */
const MOST_TRIES = 10;

/** The history of a session with transactions: it is replaced in one step, which holds for the items that it replaces only. */
export async function transactional<TItem>(
  session: UnderlyingSession<TItem> & AnyCapability<TItem>,
  options: CapabilityCallOptions | undefined,
): Promise<HistorySnapshot<TItem>> {
  const { applyHistoryTransaction } = session as unknown as HistoryTransactionAwareSession<TItem>;
  const items = await allItems(session, options);
  return {
    items,
    async replace(replacement, replaceOptions) {
      let now = await allItems(session, replaceOptions);
      for (let tries = 1; ; tries++) {
        const appended = itemsSince(items, now);
        if (!appended) return false;
        const wanted = [...replacement, ...appended];
        try {
          await applyHistoryTransaction.call(
            session,
            {
              operationId: crypto.randomUUID(),
              transaction: { type: 'replace_suffix', expectedSuffix: now, replacement: wanted },
            },
            replaceOptions,
          );
          return true;
        } catch (error) {
          replaceOptions?.signal?.throwIfAborted();
          const found = await allItems(session, replaceOptions);
          if (areSame(found, wanted)) return true;
          if (areSame(found, now) || tries === MOST_TRIES) throw error;
          now = found;
        }
      }
    },
  };
}
