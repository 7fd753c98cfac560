import type { LogErasure, LogRow } from './event-log.ts';
import {
  beginsEmpty,
  eventKey,
  eventOf,
  isEmptied,
  isErased,
  LAST_EVENT,
  LAST_ROW,
  type Life,
  type LogEvent,
  lifeOf,
  rowOf,
  tombstoneOf,
} from './log-event.ts';
import { cutPart, cutParts, partErasures, partKey } from './log-parts.ts';
import { isSeen, type Stretch } from './log-reader.ts';
import type { LogRows } from './log-rows.ts';

/**
 * How long the row of an event that was erased stays, in milliseconds: far longer than `TAIL_KEPT_MS`, and than a driver
 * goes on sending. A write after an old event must meet a row, not a gap, or nobody would ever read it.
 */
export const TOMBSTONE_KEPT_MS = 24 * 60 * 60 * 1_000;

/** How many rows are erased at once. */
const ERASED_AT_ONCE = 100;

/** Erases the stretches that a change dropped. */
export async function eraseDropped(
  rows: LogRows,
  event: LogEvent,
  dropped: readonly Stretch[],
): Promise<LogEvent> {
  const isLeft = (stretch: Stretch) => stretch.event.seq === event.under.seq;
  const dead = dropped.filter((stretch) => !isLeft(stretch)).map((stretch) => stretch.event);
  await bury(rows, dead, event);
  const left = dropped.find(isLeft);
  if (left) await cut(rows, left.event, event.under.keep);
  return withoutLitter(event);
}

/**
 * Whether a look saw that all is erased which an event made unreachable.
 *
 * @param events - what it saw from that event on downwards
 */
export function isClean(event: LogEvent, events: readonly LogEvent[]): boolean {
  const { litter, under } = event;
  if (!litter) return true;
  // What is left of lives is not events alone.
  if (litter.lives || !isSeen(litter.first, events)) return false;
  const isLeft = ({ seq, size }: LogEvent) => seq === under.seq && size <= under.keep;
  return events.every(
    (found) => found.seq < litter.first || found.seq > litter.last || isEmptied(found) || isLeft(found),
  );
}

/**
 * Whether a change that drops nothing may leave the litter of the event before it for later, and name it in its own: where
 * all that is in between is dead, and nothing is only to be cut.
 */
export function mayWait({ litter, under }: LogEvent): boolean {
  return litter !== undefined && (under.seq === 0 || litter.last < under.seq);
}

/** An event whose litter is erased. Its row goes on naming it, which is cheaper than to write it again. */
export function withoutLitter(event: LogEvent): LogEvent {
  return { ...event, litter: undefined };
}

/**
 * Erases all that an event made unreachable, whoever wrote it.
 *
 * @param events - what a look at the events below it saw
 */
export async function sweep(
  rows: LogRows,
  event: LogEvent,
  events: readonly LogEvent[] = [],
): Promise<LogEvent> {
  const { under, life, litter } = event;
  if (!litter) return event;
  if (isClean(event, events)) return withoutLitter(event);
  if (litter.first <= litter.last) {
    const range = { first: eventKey(litter.first), last: eventKey(litter.last), expected: ERASED_AT_ONCE };
    let dead: LogEvent[] = [];
    for await (const row of rows.scan(range)) {
      const found = eventOf(row);
      if (found.seq === under.seq) await cut(rows, found, under.keep);
      // Of a life that is over operations are forgotten, those too whose events were erased in that life.
      else if (!isEmptied(found) || (litter.lives && found.operation)) dead.push(found);
      if (dead.length < ERASED_AT_ONCE) continue;
      await bury(rows, dead, event);
      dead = [];
    }
    await bury(rows, dead, event);
  }
  if (litter.lives) await forgetLivesBefore(rows, life);
  const swept = withoutLitter(event);
  // What a look can see by itself need not be said.
  if (under.seq !== 0 && !litter.lives) return swept;
  const isAll = litter.first <= event.erased + 1 && litter.last === event.seq - 1;
  const begin = litter.last + 1;
  const removeAt = litter.lives && begin === event.seq ? goesAt(event, event) : event.removeAt;
  if (litter.lives && begin < event.seq) await letGo(rows, begin, event);
  const said: LogEvent = {
    ...swept,
    erased: isAll ? litter.last : event.erased,
    rev: event.rev + 1,
    removeAt,
  };
  return (await rows.put(rowOf(said))) ? said : { ...said, rev: event.rev };
}

/**
 * When the store may remove the row of an event that began a life, once what is left of those before is erased. Others may
 * have written since, and need what it holds for longer.
 */
function goesAt(begin: LogEvent, { keptUntil }: LogEvent): number | undefined {
  return beginsEmpty(begin) ? (keptUntil ?? Date.now() + TOMBSTONE_KEPT_MS) : (begin.removeAt ?? keptUntil);
}

/** The same where it is known that others have. */
async function letGo(rows: LogRows, seq: number, newest: LogEvent): Promise<void> {
  const begin = await rows.event(seq);
  if (!begin || isErased(begin)) return;
  const removeAt = goesAt(begin, newest);
  if (removeAt !== begin.removeAt) await rows.put(rowOf({ ...begin, rev: begin.rev + 1, removeAt }));
}

/** Leaves nothing of events but that they were there. An operation stays as long as its life. */
async function bury(rows: LogRows, dead: readonly LogEvent[], { life }: LogEvent): Promise<void> {
  // The events say where their parts are, so these go first.
  await rows.erase(dead.flatMap(partErasures));
  const soon = Date.now() + TOMBSTONE_KEPT_MS;
  const leftovers: LogRow[] = [];
  for (const event of dead) {
    const isKnown = event.operation !== undefined && event.life.seq === life.seq;
    // Whoever clears the session, or makes its rows last longer, may be at work on this one too.
    if (isKnown) await empty(rows, event);
    else leftovers.push(tombstoneOf({ ...event, operation: undefined }, soon));
  }
  await rows.erase(leftovers.map((leave) => ({ key: leave.key, leave })));
}

/** Erases the records of an event, and leaves it where it is for as long as it has to be. */
async function empty(rows: LogRows, dead: LogEvent): Promise<void> {
  for (
    let event: LogEvent | undefined = dead;
    event && !isEmptied(event);
    event = await rows.event(dead.seq)
  ) {
    const emptied = { ...event, records: [], parts: undefined, cut: true, rev: event.rev + 1 };
    if (await rows.put(rowOf(emptied))) return;
  }
}

/** Removes the operations of earlier lives, and the parts that no event came to name. */
async function forgetLivesBefore(rows: LogRows, { seq }: Life): Promise<void> {
  const later: LogErasure[] = [];
  const erasures: LogErasure[] = [];
  const range = { first: LAST_EVENT, last: LAST_ROW, expected: ERASED_AT_ONCE, heads: true };
  for await (const { key } of rows.scan(range)) {
    if (lifeOf(key) < seq) erasures.push({ key });
    else if (lifeOf(key) > seq) later.push({ key });
  }
  // They are of a life that has begun since, unless there is no event as new: then of one before the store removed all.
  const newest = later.length > 0 ? await rows.newest() : 0;
  await rows.erase([...erasures, ...later.filter(({ key }) => lifeOf(key) > newest)]);
}

/** Shortens an event to its first records. Never makes it longer, whoever else is at work on it. */
async function cut(rows: LogRows, found: LogEvent, keep: number): Promise<void> {
  for (
    let event: LogEvent | undefined = found;
    event && event.size > keep;
    event = await rows.event(found.seq)
  ) {
    const shorter = { ...event, size: keep, cut: true, rev: event.rev + 1 };
    if (event.parts) {
      const { parts, last, left, gone } = cutParts(event.parts, keep);
      const row = await rows.row(partKey(parts, last));
      if (row && !(await rows.put(cutPart(row, left)))) continue;
      await rows.erase(gone.map((key) => ({ key })));
      if (await rows.put(rowOf({ ...shorter, parts }))) return;
    } else if (await rows.put(rowOf({ ...shorter, records: event.records.slice(0, keep) }))) return;
  }
}
