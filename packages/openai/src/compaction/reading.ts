import type { CapabilityCallOptions } from '@sessions/core';
import { encodeItems } from '@sessions/core/store';
import type { UnderlyingSession } from './underlying.ts';

/**
 * Everything that a session of somebody else's holds. It may have a window of its own, so that it is asked for more than
 * it gave, until it gives no more.
 */
export async function allItems<TItem>(
  session: UnderlyingSession<TItem>,
  options: CapabilityCallOptions | undefined,
): Promise<TItem[]> {
  let items = await session.getItems(undefined, options);
  for (let ask = items.length + 1; ; ask *= 2) {
    const more = await session.getItems(ask, options);
    if (more.length > items.length) items = more;
    if (more.length < ask) return items;
  }
}

/** What was appended to a history since it was read, or `undefined` if it does not begin with that any more. */
export function itemsSince<TItem>(read: readonly TItem[], now: readonly TItem[]): TItem[] | undefined {
  return beginsWith(now, read) ? now.slice(read.length) : undefined;
}

/** Whether a history begins with these items. */
export function beginsWith(history: readonly unknown[], items: readonly unknown[]): boolean {
  if (history.length < items.length) return false;
  return items.every((item, at) => textOf(item) === textOf(history[at]));
}

export function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && beginsWith(a, b);
}

/** The same for the same data. */
function textOf(item: unknown): string {
  return encodeItems([item])[0]!;
}
