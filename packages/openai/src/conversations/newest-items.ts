import { SessionError } from '@sessions/core';
import type { ConversationsClient, ItemQuery } from '../clients.ts';
import type { ApiItem } from '../items/api-item.ts';

/** How a page is asked for, so that the one who waits can leave. */
export type Ask = <T>(request: (options: { signal: AbortSignal }) => PromiseLike<T>) => Promise<T>;

/**
 * The newest items of a conversation, oldest first (CONV-3): page after page, until there are enough.
 *
 * @param limit - how many at the most; all, if undefined
 */
export async function newestItems(
  client: ConversationsClient,
  conversationId: string,
  limit: number | undefined,
  include: ItemQuery['include'],
  ask: Ask,
): Promise<ApiItem[]> {
  const query: ItemQuery = { order: limit === undefined ? 'asc' : 'desc', ...(include && { include }) };
  const items: ApiItem[] = [];
  for (let after: string | undefined; ; ) {
    const page = await ask((options) => {
      return client.conversations.items.list(conversationId, after ? { ...query, after } : query, options);
    });
    const found = page.getPaginatedItems() as ApiItem[];
    items.push(...found);
    if (limit !== undefined && items.length >= limit) return items.slice(0, limit).reverse();
    if (!page.has_more) return limit === undefined ? items : items.reverse();
    const last = found.at(-1)?.id;
    // The client would take this for the end, and what is on the other pages would be missing.
    if (typeof last !== 'string' || last === after) throw endlessPages();
    after = last;
  }
}

function endlessPages(): SessionError {
  return new SessionError('UNAVAILABLE', {
    message:
      'The API said that there are more items, but not where. Nothing was returned, since it would be incomplete; try again.',
  });
}
