import { SessionError } from '../errors.ts';
import type { LogRow } from './event-log.ts';
import {
  eventKey,
  eventOf,
  isErased,
  LAST_EVENT,
  type LogEvent,
  NOWHERE,
  type Parts,
  topOf,
} from './log-event.ts';
import { isOver } from './log-expiry.ts';
import { joinParts, partKey, partsWith } from './log-parts.ts';
import type { LogRows } from './log-rows.ts';

/** A stretch of the history: the first `keep` records of an event. */
export interface Stretch {
  readonly event: LogEvent;
  readonly keep: number;
}

/** What was found of a history. */
export interface View {
  /** The newest event. */
  readonly tail: LogEvent | undefined;
  /** The same, if the session was not over when it was found. Nobody asks again: that would make one history out of two. */
  readonly live: LogEvent | undefined;
  /** All events from the newest down to the oldest that was looked at, newest first. */
  readonly events: readonly LogEvent[];
  /** From the newest on, as far as was asked for. None of a session that is over. */
  readonly stretches: readonly Stretch[];
}

/** How many dead rows are read past, beyond what was asked for at once, before the reader asks again further down. */
const PASSED_AT_MOST = 16;

/** How many rows are asked for at once, whatever is wanted. */
const EXPECTED_AT_MOST = 1_000;

/** Where every look has been already. */
const FAR_UP = Number.POSITIVE_INFINITY;

/** Reads a history, for one call. What it did not find whole, it looks for once more from the newest event on. */
export class LogReader {
  readonly #rows: LogRows;
  /** The id of the newest event of what was not found whole. */
  #torn: string | undefined;

  constructor(rows: LogRows) {
    this.#rows = rows;
  }

  /**
   * Reads from the newest event down, as many records as are wanted. `undefined` if an erasure came in between.
   *
   * @param likely - how many rows that takes, as far as anybody can tell
   * @param tried - an event to go down to besides, if that is among as many rows
   */
  async look(wanted: number, likely: number, tried = FAR_UP): Promise<View | undefined> {
    const stretches: Stretch[] = [];
    const events: LogEvent[] = [];
    let tail: LogEvent | undefined;
    let live: LogEvent | undefined;
    let place = NOWHERE;
    let missing = wanted;
    let hasGaps = false;
    const isFound = () => place.seq === 0 || missing <= 0;
    for (let last: string | undefined = LAST_EVENT; last !== undefined; ) {
      const expected = Math.min(tail ? Math.max(missing, 1) : likely, EXPECTED_AT_MOST);
      const rows = this.#rows.scan({ first: eventKey(1), last, newestFirst: true, expected });
      last = undefined;
      let taken = 0;
      for await (const row of rows) {
        taken++;
        const event = eventOf(row);
        if (!hasGaps) events.push(event);
        if (!tail) {
          tail = event;
          if (isErased(event)) {
            // There was a newer event, which this scan missed. If it still is not there, its end has come, and the session's.
            if (!this.isTornAgain(event)) return undefined;
            tail = { ...event, endsAt: 0 };
          }
          if (isOver(tail)) break;
          live = tail;
          place = topOf(event);
        }
        if (!isFound()) {
          if (event.seq < place.seq) break;
          if (event.seq === place.seq) {
            stretches.push({ event, keep: place.keep });
            missing -= place.keep;
            place = event.under;
          } else if (event.seq - place.seq > Math.max(expected - taken, PASSED_AT_MOST)) {
            last = eventKey(place.seq);
            hasGaps = true;
            break;
          }
        }
        // What else was asked for may show that nothing is left to erase, or who was first.
        const lowest = Math.min(tail.litter?.first ?? FAR_UP, tried);
        if (isFound() && (taken >= expected || isSeen(lowest, events))) break;
      }
      if (last === undefined && live && !isFound()) return this.#tornAt(live);
    }
    return { tail, live, events, stretches };
  }

  /** The newest records of what was found, oldest first. `undefined` if an erasure came in between. */
  async recordsOf(view: View, wanted: number | undefined): Promise<string[] | undefined> {
    const found: (readonly string[])[] = [];
    let missing = wanted ?? Number.POSITIVE_INFINITY;
    for (const { event, keep } of view.stretches) {
      const start = Math.max(0, keep - missing);
      const { parts } = event;
      const records = parts ? await this.#readParts(parts, start, keep) : event.records.slice(start, keep);
      if (records.length < keep - start) return this.#tornAt(view.tail!);
      found.push(records);
      missing -= records.length;
    }
    return found.reverse().flat();
  }

  /** One event, of which a look at these may know already. */
  async eventAt(seq: number, events: readonly LogEvent[]): Promise<LogEvent | undefined> {
    return isSeen(seq, events) ? events.find((event) => event.seq === seq) : this.#rows.event(seq);
  }

  /** Whether the same newest event led to nothing before in this call: then it is no matter of when the rows were read. */
  isTornAgain({ id }: LogEvent): boolean {
    if (this.#torn === id) return true;
    this.#torn = id;
    return false;
  }

  /** What is missing was erased after a newer event was written, which the next look sees. Unless it was never there. */
  #tornAt(tail: LogEvent): undefined {
    if (!this.isTornAgain(tail)) return undefined;
    const message = 'Rows of the session are missing in the store. Clear the session, or restore them.';
    throw new SessionError('INCOMPATIBLE_STORE', { message });
  }

  async #readParts(parts: Parts, start: number, end: number): Promise<string[]> {
    const { first, last, skip } = partsWith(parts, start, end);
    const rows: LogRow[] = [];
    const range = { first: partKey(parts, first), last: partKey(parts, last), expected: last - first + 1 };
    for await (const row of this.#rows.scan(range)) rows.push(row);
    return rows.length > last - first ? joinParts(rows).slice(skip, skip + end - start) : [];
  }
}

/** Whether a look went down to an event, so that what it did not find there is not there. */
export function isSeen(seq: number, events: readonly LogEvent[]): boolean {
  const oldest = events.at(-1);
  return oldest !== undefined && oldest.seq <= seq;
}
