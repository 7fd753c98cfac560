import { isSessionError, SessionError } from '../errors.ts';
import { digest } from '../store/canonical.ts';
import { HELD_MARK } from '../store/codec.ts';
import {
  type HistoryChange,
  type HistoryCommit,
  type HistoryQuery,
  type HistoryRead,
  type HistoryStore,
  isPop,
  type StoreCall,
  type Version,
} from '../store/history-store.ts';
import type { ResolvedStoreOptions } from '../store/store-options.ts';
import type { EventLog } from './event-log.ts';
import { PartsAhead } from './log-ahead.ts';
import { type Attempt, attemptOf } from './log-attempt.ts';
import { eraseDropped, isClean, mayWait, sweep, withoutLitter } from './log-erasure.ts';
import { beginsEmpty, isFresh, LAST_EVENT, LAST_ROW, type LogEvent, rowOf } from './log-event.ts';
import { endRows, isKeptFor, isOver, keepLife, keepTail, mustBeRenewed, staysAWhile } from './log-expiry.ts';
import { LogForecast } from './log-forecast.ts';
import { OperationSearch } from './log-operations.ts';
import { LogReader, type View } from './log-reader.ts';
import { LogRows } from './log-rows.ts';
import { Turns } from './log-turns.ts';

/**
 * How long the newest event that was seen may be taken for the newest, in milliseconds; a write there finds out. Far
 * shorter than `TOMBSTONE_KEPT_MS`.
 */
const TAIL_KEPT_MS = 10_000;

/** How often a call tries to erase something before it leaves that to the next write. */
const ERASED_AT_MOST = 3;

/** How long an append waits for an erasure that others left, before it goes first, in milliseconds. */
const ERASED_FIRST_MS = 300;

/** The options that concern a log. */
export type LogOptions = Pick<ResolvedStoreOptions, 'ttlMs' | 'refreshTtlOnRead'>;

/** A version of a session without events. */
const UNWRITTEN: Version = '0';

/** A change that is being made, over all its tries. Each has its own, since one whose time is up may still be under way. */
interface Work {
  readonly id: string;
  /** What may have been written of it. */
  attempt?: Attempt | undefined;
  /** The event that made it, once that is known. */
  made?: LogEvent | undefined;
  /** The parts that were written for it, or begun, before its event. */
  readonly ahead: PartsAhead;
}

/** A moment, by both clocks. */
interface Moment {
  /** By the clock that never goes back, but may stand still while the machine sleeps. */
  readonly at: number;
  /** By the clock that goes on, but may be set. */
  readonly date: number;
}

/** The newest event, and when it was that. */
interface Seen extends Moment {
  /** Nothing, if there were no events. */
  readonly tail: LogEvent | undefined;
}

/**
 * A history in a log of events: each adds records, and says where the history goes on under them. A change is one
 * conditional insert after the newest event, so that of two writers one is first and the other tries again. What a change
 * leaves unreachable is erased afterwards, as part of the call.
 *
 * @see docs/event-log.md
 */
export class LogHistory implements HistoryStore {
  readonly #log: EventLog;
  readonly #options: LogOptions;
  /** The newest event, as this instance saw it last. */
  #seen: Seen | undefined;
  readonly #forecast = new LogForecast();
  readonly #turns = new Turns();
  /** The change that is being made, or the last that was not. */
  #work: Work | undefined;
  /** Earlier changes of which parts may be left that no event names. */
  #left: readonly Work[] = [];

  constructor(log: EventLog, options: LogOptions) {
    this.#log = log;
    this.#options = options;
  }

  async read({ limit }: HistoryQuery, call: StoreCall): Promise<HistoryRead> {
    const rows = new LogRows(this.#log, call);
    const reader = new LogReader(rows);
    try {
      for (;;) {
        const view = await this.#look(reader, limit);
        const records = view && (await reader.recordsOf(view, limit));
        if (!records) continue;
        if (!view.live || (await this.#renew(rows, view.live, call)))
          return { records, version: versionOf(view) };
      }
    } catch (error) {
      throw notMade(error);
    }
  }

  async commit(change: HistoryChange, call: StoreCall): Promise<HistoryCommit> {
    const { id, operation } = change;
    // In a key there is no room for any id that a caller may choose.
    const hashed = operation && { id: await digest(operation.id), digest: operation.digest };
    const rows = new LogRows(this.#log, call);
    const reader = new LogReader(rows);
    const search = hashed && new OperationSearch(rows, reader, hashed);
    let work: Work | undefined;
    try {
      work = await this.#workOn(id, rows);
      for (let overtaken = 0; ; overtaken++) {
        await this.#turns.wait(overtaken, call.signal);
        const commit = await this.#try({ ...change, operation: hashed }, work, rows, reader, search);
        if (!commit) continue;
        if (this.#work === work) this.#leave(work);
        // What cannot be erased now is left to the next change.
        await tryToErase(() => this.#eraseLeft(rows));
        return commit;
      }
    } catch (error) {
      throw work?.attempt ? uncertain(error) : notMade(error);
    }
  }

  async close(): Promise<void> {
    await this.#log.close?.();
  }

  /** What was done for a change, after what was done for those before it is erased, unless that may yet come to be. */
  async #workOn(id: string, rows: LogRows): Promise<Work> {
    // A read that was given up may come here when the next call is under way.
    rows.checkTime();
    const last = this.#work;
    if (last?.id === id) return last;
    if (last) this.#leave(last);
    await this.#eraseLeft(rows);
    rows.checkTime();
    this.#work = { id, ahead: new PartsAhead(id) };
    return this.#work;
  }

  #leave(work: Work): void {
    this.#work = undefined;
    if (!work.ahead.areNone) this.#left = [...this.#left, work];
  }

  /** Erases the parts of earlier changes, but for those that are named, or may yet be. */
  async #eraseLeft(rows: LogRows): Promise<void> {
    for (const work of this.#left) {
      const { id, attempt, ahead } = work;
      if (attempt && !work.made) {
        const { seq } = attempt.event;
        if ((this.#seen?.tail?.seq ?? 0) < seq) continue;
        const event = await rows.event(seq);
        if (event?.id === id) work.made = event;
      }
      await ahead.eraseAllBut(work.made?.parts, rows);
      this.#left = this.#left.filter((other) => other !== work);
    }
  }

  async #look(
    reader: LogReader,
    wanted = Number.POSITIVE_INFINITY,
    tried?: LogEvent,
  ): Promise<View | undefined> {
    const moment = now();
    const known = this.#seen?.tail;
    const likely = this.#forecast.rowsFor(wanted, known, tried);
    const view = await reader.look(wanted, likely, tried?.seq);
    if (!view) return undefined;
    this.#forecast.learn(wanted, view);
    const { tail: found, events } = view;
    const isSwept = found && ((known?.id === found.id && !known.litter) || isClean(found, events));
    const tail = isSwept ? withoutLitter(found) : found;
    this.#seen = { ...moment, tail };
    return { ...view, tail, live: view.live && tail };
  }

  /** Moves the end of a session that is read, if reads are to. `false` if it has to be read again. */
  async #renew(rows: LogRows, tail: LogEvent, call: StoreCall): Promise<boolean> {
    const { ttlMs, refreshTtlOnRead } = this.#options;
    if (ttlMs === undefined || !refreshTtlOnRead || isOver(tail)) return true;
    const endsAt = Date.now() + ttlMs;
    if (!mustBeRenewed(tail, endsAt, ttlMs)) return true;
    if (isKeptFor(tail, endsAt) && tail.endsAt! < endsAt) {
      this.#seen = undefined;
      return rows.put(rowOf({ ...tail, endsAt, rev: tail.rev + 1 }));
    }
    // Whoever remembers the newest event must not go on from it as if it were still so: with an end that is over by now, or
    // without one, or with rows that go before an earlier one's end.
    await this.commit({ id: crypto.randomUUID(), drop: 0, add: [] }, call);
    return false;
  }

  /** One try of a change. `undefined` if somebody else was first. */
  async #try(
    change: HistoryChange,
    work: Work,
    rows: LogRows,
    reader: LogReader,
    search: OperationSearch | undefined,
  ): Promise<HistoryCommit | undefined> {
    const tried = work.attempt;
    // Before anything is sent: nobody knows how long ago it was that what is answered was so.
    const moment = now();
    const view = await this.#viewFor(change, work, rows, reader);
    if (!view) return undefined;
    const { tail, live } = view;
    if (tried && tail && tail.seq >= tried.event.seq) {
      const event = await reader.eventAt(tried.event.seq, view.events);
      if (event?.id === change.id) return this.#finish({ ...tried, event, dropped: [] }, moment, work, rows);
      // What stands there stays there, so that try never succeeds any more.
      work.attempt = undefined;
    }

    const { ifVersion, add } = change;
    const known = search && live && (await search.find(live, view.events, isAppend(change)));
    if (known === 'applied') return {};
    if (known === 'ahead') return undefined;
    if (ifVersion !== undefined && ifVersion !== versionOf(view)) throw new SessionError('CONFLICT');
    const popped = isPop(change) ? await reader.recordsOf(view, 1) : [];
    if (!popped) return undefined;
    if (popped[0]?.startsWith(HELD_MARK)) throw new SessionError('UNREADABLE_ITEM');
    if (await changesNothing(change, view, rows)) {
      // An earlier try may still change something.
      if (work.attempt) throw new SessionError('OUTCOME_UNKNOWN');
      return {};
    }

    const attempt: Attempt = {
      ...attemptOf(change, view, work.ahead, this.#options.ttlMs, this.#log.maxRowBytes),
      popped: popped[0],
    };
    const { event } = attempt;
    // Of a session that is over, a read may be moving the end.
    if (tail && (!live || !staysAWhile(tail)) && !(await keepTail(rows, tail))) {
      this.#seen = undefined;
      return undefined;
    }
    if (search && !(await search.aim(event, known))) return undefined;
    if (live && mustBeKept(event, live) && !(await keepLife(rows, live, event.endsAt!, event.keptUntil!)))
      return undefined;
    // Parts for a life that is over by now, or for an event that had no room for the records.
    if (!work.attempt) await work.ahead.eraseAllBut(event.parts, rows);
    if (!(await work.ahead.write(rows, event, add, this.#log.maxRowBytes))) return undefined;
    // All that may have taken long.
    if (live && isOver(live)) return undefined;
    if (await this.#put(attempt, work, rows)) return this.#finish(attempt, moment, work, rows);
    this.#seen = undefined;
    return undefined;
  }

  /** What a change has to know of the history. For most that is the newest event, which may have been seen just now. */
  async #viewFor(
    change: HistoryChange,
    { attempt }: Work,
    rows: LogRows,
    reader: LogReader,
  ): Promise<View | undefined> {
    const { drop, operation } = change;
    // What may have been written has to be looked for, and what was seen may be older than that.
    if (isAppend(change) && !operation && !attempt && this.#seen && isRecent(this.#seen)) {
      const { tail } = this.#seen;
      // What ends may have been given more time since.
      const mayEnd = tail?.endsAt !== undefined && (this.#options.ttlMs === undefined || isOver(tail));
      if (!tail || (!tail.litter && !mayEnd && staysAWhile(tail)))
        return { tail, live: tail, events: [], stretches: [] };
    }

    const view = await this.#look(reader, drop === 'all' ? 0 : drop, attempt?.event);
    const tail = view?.live;
    if (!tail) return view;
    const isLeft = drop === 0 && mayWait(tail);
    try {
      // Whoever left its litter is gone, or sweeps too.
      const swept = await sweep(isLeft ? rows.within(ERASED_FIRST_MS) : rows, tail, view.events);
      if (this.#seen?.tail === tail) this.#seen = { ...this.#seen, tail: swept };
      return { ...view, tail: swept, live: swept };
    } catch (error) {
      // Where an erasure takes longer than a call, those who append must not wait for it.
      if (isLeft && isSessionError(error, 'UNAVAILABLE')) return view;
      throw error;
    }
  }

  async #put(attempt: Attempt, work: Work, rows: LogRows): Promise<boolean> {
    const earlier = work.attempt;
    work.attempt = attempt;
    try {
      return await this.#turns.time(() => rows.put(rowOf(attempt.event)));
    } catch (error) {
      // Anything else says that this try was not written, and never will be.
      if (isSessionError(error) && error.code !== 'OUTCOME_UNKNOWN') work.attempt = earlier;
      // The next try is to look whether it was, and not to put it once more.
      else this.#seen = undefined;
      throw error;
    }
  }

  /** After a change was made: remembers it, and erases what it left unreachable. */
  async #finish(
    { event, dropped, popped }: Attempt,
    moment: Moment,
    work: Work,
    rows: LogRows,
  ): Promise<HistoryCommit> {
    work.made = event;
    this.#seen = { ...moment, tail: event };
    this.#forecast.wrote(event.size);
    // The change is made, and its event says what there is left to do. The next write does it, if this one cannot.
    await tryToErase(async () => {
      let tail = dropped.length > 0 ? await eraseDropped(rows, event, dropped) : await sweep(rows, event);
      const { ttlMs } = this.#options;
      const isEndNew = tail.endsAt !== undefined && tail.keptUntil === undefined;
      if (isEndNew && ttlMs !== undefined) tail = await endRows(rows, tail, ttlMs);
      this.#seen = { ...moment, tail };
    });
    return { popped };
  }
}

/** An error after which the change may have been made, or may still be. */
function uncertain(error: unknown): unknown {
  return isSessionError(error, 'OUTCOME_UNKNOWN')
    ? error
    : new SessionError('OUTCOME_UNKNOWN', { cause: error });
}

/** An error of a read, or of what comes before an event. Whatever became of that, no history shows it. */
function notMade(error: unknown): unknown {
  const isKnown = isSessionError(error) && error.code !== 'OUTCOME_UNKNOWN';
  return isKnown ? error : new SessionError('UNAVAILABLE', { cause: error });
}

async function tryToErase(erase: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries <= ERASED_AT_MOST; tries++) {
    try {
      return await erase();
    } catch {
      // Whatever it was, what the call is for is done.
    }
  }
}

function now(): Moment {
  return { at: performance.now(), date: Date.now() };
}

function isRecent({ at, date }: Seen): boolean {
  return performance.now() - at < TAIL_KEPT_MS && Math.abs(Date.now() - date) < TAIL_KEPT_MS;
}

function versionOf({ tail, live }: View): Version {
  if (!tail) return UNWRITTEN;
  return live ? tail.id : `${tail.id}.over`;
}

/** Whether a change can be made whatever the history is. */
function isAppend({ drop, ifVersion }: HistoryChange): boolean {
  return drop === 0 && ifVersion === undefined;
}

/** Whether a change leaves a history as it is, and nothing to remember either. */
async function changesNothing(
  change: HistoryChange,
  { tail, stretches }: View,
  rows: LogRows,
): Promise<boolean> {
  if (change.add.length > 0 || change.operation) return false;
  if (isPop(change)) return stretches.length === 0;
  if (!change.clear) return tail === undefined;
  if (tail && !isFresh(tail)) return false;
  // Somebody who wrote parts may have come no further.
  for await (const _ of rows.scan({ first: LAST_EVENT, last: LAST_ROW, expected: 1, heads: true }))
    return false;
  return true;
}

/** Whether rows have to last longer than they do, for a change to go on from them. */
function mustBeKept({ keptUntil }: LogEvent, live: LogEvent): boolean {
  return keptUntil !== undefined && keptUntil !== live.keptUntil && !beginsEmpty(live);
}
