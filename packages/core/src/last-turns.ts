import { SessionError } from './errors.ts';

/**
 * Shows a model the newest turns of a session only, as the official runner's `sessionInputCallback`. What is stored stays
 * whole, which the runner needs to go on with an interrupted run, and a session's default limit would hide from it.
 *
 * A turn begins with what the user says. No call is cut off from its result: where they are in different turns, more turns
 * are shown. A compaction, and all before it, is shown as well, since it stands for turns that there were.
 *
 * @param turns - how many turns of the history at most, beside the new items: a whole number, 0 or more
 * @returns a function of the history and the new items, oldest first, which returns those to show, each as it was given
 * @throws SessionError `INVALID_LIMIT`
 */
export function lastTurns(
  turns: number,
): <TItem extends object>(history: TItem[], newItems: TItem[]) => TItem[] {
  if (!Number.isInteger(turns) || turns < 0) {
    throw new SessionError('INVALID_LIMIT', {
      message: 'The number of turns must be a whole number, 0 or more.',
    });
  }
  return (history, newItems) => {
    const compacted = history.findLastIndex(isCompaction) + 1;
    const starts = history.flatMap((_, at) => (at >= compacted && isStart(history, at) ? [at] : []));
    const firsts = firstPlaces(history, compacted);
    let cut = turns === 0 ? history.length : (starts.at(-turns) ?? compacted);
    for (;;) {
      const shown = [...history.slice(cut), ...newItems];
      const from = shown.reduce((least, item) => Math.min(least, firsts.get(callIdOf(item)) ?? cut), cut);
      if (from === cut) return [...history.slice(0, compacted), ...shown];
      cut = starts.findLast((start) => start <= from) ?? compacted;
    }
  };
}

/** What is known of an item of any make: the Agents SDK's or the API's own. */
interface AnyItem {
  readonly type?: unknown;
  readonly role?: unknown;
  readonly callId?: unknown;
  readonly call_id?: unknown;
}

function isCompaction(item: AnyItem): boolean {
  return item.type === 'compaction';
}

/** Whether a turn begins here. What a user says in several messages is one turn. */
function isStart(history: readonly AnyItem[], at: number): boolean {
  return history[at]?.role === 'user' && history[at - 1]?.role !== 'user';
}

function callIdOf({ callId, call_id }: AnyItem): unknown {
  return callId ?? call_id;
}

/** Where each call is met first. */
function firstPlaces(history: readonly AnyItem[], from: number): ReadonlyMap<unknown, number> {
  const firsts = new Map<unknown, number>();
  for (let at = history.length - 1; at >= from; at--) {
    const id = callIdOf(history[at]!);
    if (typeof id === 'string') firsts.set(id, at);
  }
  return firsts;
}
