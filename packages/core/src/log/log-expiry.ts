import type { LogRange, LogRow } from './event-log.ts';
import {
  beginsEmpty,
  eventKey,
  eventOf,
  isErased,
  isFinal,
  LAST_EVENT,
  LAST_ROW,
  type LogEvent,
  lifeOf,
  rowOf,
  tombstoneOf,
} from './log-event.ts';
import type { LogRows } from './log-rows.ts';

/**
 * The newest event says when the session ends. The rows stay longer, and at least this long, in milliseconds: until then no
 * row is missing to anybody whose clock is behind, and no write that comes late finds a gap.
 */
const KEPT_AFTER_END_MS = 30 * 60 * 1_000;

/** How long the newest event must be sure to stay for a write to go on from it, in milliseconds. */
const STAYS_MS = 10 * 60 * 1_000;

/** An end so near to the one that a read would give is not moved, in milliseconds: of many who read at once one moves it. */
const CLOSE_MS = 1_000;

/** An end that is later than that by no more than this is not made earlier, in milliseconds: the clocks may be at fault. */
const CLOSE_BEFORE_MS = 5 * 60 * 1_000;

/** Whether a session came to its end, or was removed (TTL-2). */
export function isOver({ endsAt }: LogEvent): boolean {
  return endsAt !== undefined && endsAt <= Date.now();
}

/**
 * Until when the rows of a session have to last. Well past its end: to move this is to write every row anew, and a write
 * that moves the end should seldom have to.
 *
 * @param endsAt - when the session ends, in milliseconds since 1970
 */
export function keepUntil(endsAt: number, ttlMs: number): number {
  return endsAt + KEPT_AFTER_END_MS + Math.max(ttlMs / 2, KEPT_AFTER_END_MS);
}

/** Whether the rows of a session last long enough for another end. */
export function isKeptFor({ keptUntil }: LogEvent, endsAt: number): boolean {
  return keptUntil !== undefined && keptUntil >= endsAt + KEPT_AFTER_END_MS;
}

/**
 * Makes rows last as long as their session has to, and no longer than for a while. `false` if one was changed meanwhile.
 *
 * @param endsAt - when the session ends
 * @param until - until when they have to last
 */
export async function keepRows(
  rows: LogRows,
  endsAt: number,
  until: number,
  range: LogRange,
  isMeant: (row: LogRow) => boolean = () => true,
): Promise<boolean> {
  // So that they do not have to be kept longer again so soon.
  const removeAt = until + (until - endsAt);
  for await (const row of rows.scan(range)) {
    if ((row.removeAt !== undefined && lasts(row, until)) || isGoing(row) || !isMeant(row)) continue;
    if (!(await rows.put({ ...withEnd(row, endsAt), rev: row.rev + 1, removeAt }))) return false;
  }
  return true;
}

/** The same with the rows of a life, up to its newest event: what came since may be of another, which has no end. */
export function keepLife(
  rows: LogRows,
  { seq, life }: LogEvent,
  endsAt: number,
  until: number,
): Promise<boolean> {
  const range = { first: eventKey(1), last: LAST_ROW, expected: 1_000 };
  return keepRows(rows, endsAt, until, range, ({ key }) =>
    key < LAST_EVENT ? key <= eventKey(seq) : lifeOf(key) === life.seq,
  );
}

/** Whether a read that is to move the end of the session has to. */
export function mustBeRenewed(tail: LogEvent, endsAt: number, ttlMs: number): boolean {
  if (beginsEmpty(tail)) return false;
  if (tail.endsAt === undefined) return true;
  const later = endsAt - tail.endsAt;
  return later > Math.min(ttlMs / 100, CLOSE_MS) || -later > Math.min(ttlMs / 10, CLOSE_BEFORE_MS);
}

/**
 * Gives the rows of a session that was for ever an end, now that its newest event has one, and says in that event until when
 * they last.
 */
export async function endRows(rows: LogRows, tail: LogEvent, ttlMs: number): Promise<LogEvent> {
  const keptUntil = keepUntil(tail.endsAt!, ttlMs);
  if (!(await keepLife(rows, tail, tail.endsAt!, keptUntil))) return tail;
  // Its row is one of those that were just written.
  const event = await rows.event(tail.seq);
  if (event?.id !== tail.id || isErased(event)) return tail;
  const said: LogEvent = { ...event, keptUntil, rev: event.rev + 1 };
  return (await rows.put(rowOf(said))) ? said : tail;
}

/** Whether the newest event stays where it is while a write after it is on its way. */
export function staysAWhile({ removeAt }: LogEvent): boolean {
  return removeAt === undefined || removeAt >= Date.now() + STAYS_MS;
}

/**
 * Keeps the newest event where it is while a write after it is on its way. If the store removed it meanwhile, somebody
 * who found nothing would begin anew, below that write. `false` if the event was changed, or is not there any more.
 */
export async function keepTail(rows: LogRows, tail: LogEvent): Promise<boolean> {
  const removeAt = later(Date.now() + KEPT_AFTER_END_MS, tail.removeAt);
  const row = isFinal(tail) ? tombstoneOf(tail, removeAt) : rowOf({ ...tail, removeAt });
  return rows.put({ ...row, rev: tail.rev + 1 });
}

/** The later of two times, of which one that is left out is never. */
export function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : Math.max(one, other);
}

/** Whether a row stays at least so long; for ever, if `until` is left out. */
export function lasts({ removeAt }: LogRow, until: number | undefined): boolean {
  return removeAt === undefined || (until !== undefined && removeAt >= until);
}

/** Whether a row is all that is left of an event, and may go when it was to go. */
function isGoing(row: LogRow): boolean {
  if (row.key > LAST_EVENT) return false;
  const event = eventOf(row);
  return isFinal(event) && !event.operation;
}

/** An event's row of which the store did not know when it ends. */
function withEnd(row: LogRow, endsAt: number): LogRow {
  if (row.key > LAST_EVENT) return row;
  const event = eventOf(row);
  return isFinal(event) || event.endsAt !== undefined ? row : rowOf({ ...event, endsAt });
}
