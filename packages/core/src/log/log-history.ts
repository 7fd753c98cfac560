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
import { utf8Bytes } from '../store/limits.ts';
import type { ResolvedStoreOptions } from '../store/store-options.ts';
import type { EventLog, LogRow } from './event-log.ts';
import { PartsAhead } from './log-ahead.ts';
import { eraseDropped, isClean, mayWait, sweep, TOMBSTONE_KEPT_MS, withoutLitter } from './log-erasure.ts';
import {
  beginsEmpty,
  isFresh,
  LAST_EVENT,
  LAST_ROW,
  type Litter,
  type LogEvent,
  NOWHERE,
  newLife,
  type Place,
  rowOf,
  topOf,
} from './log-event.ts';
import {
  endRows,
  isKeptFor,
  isOver,
  keepLife,
  keepTail,
  keepUntil,
  later,
  mustBeRenewed,
  staysAWhile,
} from './log-expiry.ts';
import { LogForecast } from './log-forecast.ts';
import { OperationSearch } from './log-operations.ts';
import { begunIn, splitIntoParts, textBytes } from './log-parts.ts';
import { LogReader, type Stretch, type View } from './log-reader.ts';
import { LogRows } from './log-rows.ts';

/**
 * How long the newest event that was seen may be taken for the newest, in milliseconds; a write there finds out. Far
 * shorter than `TOMBSTONE_KEPT_MS`.
 */
const TAIL_KEPT_MS = 10_000;

/** What a row may grow by when it is written anew: it may be cut, get an end, or say until where all is erased. */
const GROWS_BYTES = 100;

/** How often a call tries to erase something before it leaves that to the next write. */
const ERASED_AT_MOST = 3;

/** How long an append waits for an erasure that others left, before it goes first, in milliseconds. */
const ERASED_FIRST_MS = 300;

/** How often a change is overtaken before it makes way to others, and the longest that it then waits, in milliseconds. */
const OVERTAKEN_AT_MOST = 2;
const LONGEST_WAY_MS = 100;

/** The options that concern a log. */
export type LogOptions = Pick<ResolvedStoreOptions, 'ttlMs' | 'refreshTtlOnRead'>;

/** A version of a session without events. */
const UNWRITTEN: Version = '0';

/** A change on its way: the event that is written for it, and what it drops. */
interface Attempt {
  readonly event: LogEvent;
  readonly dropped: readonly Stretch[];
  readonly popped?: string | undefined;
}

/** A change that is being made, over all its tries. Each has its own, since one whose time is up may still be under way. */
interface Work {
  readonly id: string;
  /** What may have been written of it. */
  attempt?: Attempt | undefined;
  /** The parts that were written for it, or begun, before its event. */
  ahead?: PartsAhead | undefined;
  /** How often parts of it were erased, so that the next have another name. */
  erasures: number;
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
  /** The change that is being made, or the last that was not. */
  #work: Work | undefined;

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
        const { tail } = view;
        if (!tail || isOver(tail) || (await this.#renew(rows, tail, call)))
          return { records, version: versionOf(tail) };
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
        if (overtaken > OVERTAKEN_AT_MOST) await makeWay(overtaken);
        const commit = await this.#try({ ...change, operation: hashed }, work, rows, reader, search);
        if (!commit) continue;
        // Somebody else applied the operation. What cannot be erased now is left to the next change.
        await tryToErase(() => eraseAhead(work!, rows));
        if (this.#work === work && !work.ahead) this.#work = undefined;
        return commit;
      }
    } catch (error) {
      throw work?.attempt ? uncertain(error) : notMade(error);
    }
  }

  async close(): Promise<void> {
    await this.#log.close?.();
  }

  /** What was done for a change, after what was done for the one before it is erased, unless that may yet come to be. */
  async #workOn(id: string, rows: LogRows): Promise<Work> {
    // A read that was given up may come here when the next call is under way.
    rows.checkTime();
    if (this.#work?.id !== id) {
      if (this.#work) await eraseAhead(this.#work, rows);
      rows.checkTime();
      this.#work = { id, erasures: 0 };
    }
    return this.#work;
  }

  async #look(reader: LogReader, wanted = Number.POSITIVE_INFINITY): Promise<View | undefined> {
    const moment = now();
    const known = this.#seen?.tail;
    const view = await reader.look(wanted, this.#forecast.rowsFor(wanted, known));
    if (!view) return undefined;
    this.#forecast.learn(wanted, view);
    const { tail: found, events } = view;
    const isSwept = found && ((known?.id === found.id && !known.litter) || isClean(found, events));
    const tail = isSwept ? withoutLitter(found) : found;
    this.#seen = { ...moment, tail };
    return { ...view, tail };
  }

  /** Moves the end of a session that is read, if reads are to. `false` if it has to be read again. */
  async #renew(rows: LogRows, tail: LogEvent, call: StoreCall): Promise<boolean> {
    const { ttlMs, refreshTtlOnRead } = this.#options;
    if (ttlMs === undefined || !refreshTtlOnRead) return true;
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
    const view = await this.#viewFor(change, rows, reader);
    if (!view) return undefined;
    const { tail } = view;
    if (tried && tail && tail.seq >= tried.event.seq) {
      const event = await reader.eventAt(tried.event.seq, view.events);
      if (event?.id === change.id) return this.#finish({ ...tried, event, dropped: [] }, moment, rows);
      // What stands there stays there, so that try never succeeds any more.
      work.attempt = undefined;
    }

    const { ifVersion, add } = change;
    const live = tail && !isOver(tail) ? tail : undefined;
    const known = search && live && (await search.find(live, view.events));
    if (known === 'applied') return {};
    if (known === 'ahead') return undefined;
    if (ifVersion !== undefined && ifVersion !== versionOf(tail)) throw new SessionError('CONFLICT');
    const popped = isPop(change) ? await reader.recordsOf(view, 1) : [];
    if (!popped) return undefined;
    if (popped[0]?.startsWith(HELD_MARK)) throw new SessionError('UNREADABLE_ITEM');
    if (await changesNothing(change, view, rows)) {
      // An earlier try may still change something.
      if (work.attempt) throw new SessionError('OUTCOME_UNKNOWN');
      return {};
    }

    const attempt: Attempt = { ...this.#attemptOf(change, view, live, work), popped: popped[0] };
    const { event } = attempt;
    // Of a session that is over, a read may be moving the end.
    if (tail && (!live || !staysAWhile(tail)) && !(await keepTail(rows, tail))) {
      this.#seen = undefined;
      return undefined;
    }
    if (search && !(await search.aim(event, known))) return undefined;
    if (live && mustBeKept(event, live) && !(await keepLife(rows, live, event.endsAt!, event.keptUntil!)))
      return undefined;
    if (!(await this.#writeParts(event, add, work, rows))) return undefined;
    // All that may have taken long.
    if (live && isOver(live)) return undefined;
    if (await this.#put(attempt, work, rows)) return this.#finish(attempt, moment, rows);
    this.#seen = undefined;
    return undefined;
  }

  /** What a change has to know of the history. For most that is the newest event, which may have been seen just now. */
  async #viewFor(
    { drop, operation, ifVersion }: HistoryChange,
    rows: LogRows,
    reader: LogReader,
  ): Promise<View | undefined> {
    const isAppend = drop === 0 && !operation && ifVersion === undefined;
    if (isAppend && this.#seen && isRecent(this.#seen)) {
      const { tail } = this.#seen;
      // What ends may have been given more time since.
      const mayEnd = tail?.endsAt !== undefined && (this.#options.ttlMs === undefined || isOver(tail));
      if (!tail || (!tail.litter && !mayEnd && staysAWhile(tail))) return { tail, events: [], stretches: [] };
    }

    const view = await this.#look(reader, drop === 'all' ? 0 : drop);
    const tail = view?.tail;
    if (!tail || isOver(tail)) return view;
    const isLeft = drop === 0 && mayWait(tail);
    try {
      // Whoever left its litter is gone, or sweeps too.
      const swept = await sweep(isLeft ? rows.within(ERASED_FIRST_MS) : rows, tail, view.events);
      if (this.#seen?.tail === tail) this.#seen = { ...this.#seen, tail: swept };
      return { ...view, tail: swept };
    } catch (error) {
      // Where an erasure takes longer than a call, those who append must not wait for it.
      if (isLeft && isSessionError(error, 'UNAVAILABLE')) return view;
      throw error;
    }
  }

  /** The event that makes a change. */
  #attemptOf(
    { id, drop, add, operation, clear }: HistoryChange,
    { tail, stretches }: View,
    live: LogEvent | undefined,
    { erasures }: Work,
  ): Attempt {
    const seq = (tail?.seq ?? 0) + 1;
    const begins = !live || clear === true;
    const life = begins ? newLife(seq, id, clear === true) : live.life;
    const isKept = live !== undefined && drop !== 'all';
    const { under, dropped } = isKept ? dropFrom(live, stretches, drop) : { under: NOWHERE, dropped: [] };
    const erased = tail?.erased ?? 0;
    // What was erased in a life that is over may still bear its operations, and so may what the one before left to erase.
    const known = [erased, tail?.life.seq ?? 0, (tail?.litter?.first ?? seq) - 1];
    const from = begins ? Math.min(...known) : erased;
    const litter: Litter | undefined = isKept
      ? (litterOf(dropped) ?? live.litter)
      : { first: from + 1, last: seq - 1, lives: begins ? true : undefined };
    const { ttlMs } = this.#options;
    const endsAt = clear ? undefined : ttlMs === undefined ? live?.endsAt : Date.now() + ttlMs;
    const keptUntil = clear ? undefined : this.#keptUntil(endsAt, live);
    const removeAt = clear ? Date.now() + TOMBSTONE_KEPT_MS : keptUntil;
    const event: LogEvent = {
      seq,
      id,
      under,
      life,
      operation,
      endsAt,
      keptUntil,
      litter: tail || clear ? litter : undefined,
      erased,
      size: add.length,
      records: add,
      rev: 0,
      // Until what is below is erased, nothing else says that it is dead. No end there is later than the newest row goes.
      removeAt: begins && tail ? later(removeAt, tail.removeAt) : removeAt,
    };
    const { maxRowBytes } = this.#log;
    if (bytesOf(rowOf(event)) + GROWS_BYTES <= maxRowBytes) return { event, dropped };
    const counts = splitIntoParts(add, maxRowBytes).map(begunIn);
    const name = erasures > 0 ? `${id}-${erasures}` : id;
    return { event: { ...event, records: [], parts: { life: life.seq, name, counts } }, dropped };
  }

  /** Until when the rows last, if the session ends then. */
  #keptUntil(endsAt: number | undefined, live: LogEvent | undefined): number | undefined {
    if (endsAt === undefined) return undefined;
    const mustGrow = live?.endsAt !== undefined && !isKeptFor(live, endsAt);
    // The end may be one that somebody else gave, who says for how long.
    const isNew = !live || beginsEmpty(live) || mustGrow;
    // This row goes no sooner than the end of the one below, which would be the newest then.
    const last = Math.max(endsAt, live?.endsAt ?? 0);
    return isNew ? keepUntil(last, this.#options.ttlMs ?? 0) : live.keptUntil;
  }

  /** Writes the records that an event names, unless an earlier try did. `false` if they have to be looked at again. */
  async #writeParts(
    { parts, keptUntil, endsAt }: LogEvent,
    records: readonly string[],
    work: Work,
    rows: LogRows,
  ): Promise<boolean> {
    // Written for a life that is over, or for an event that had no room for the records, or begun to be erased.
    if (work.ahead?.parts.life !== parts?.life || work.ahead?.parts.name !== parts?.name)
      await eraseAhead(work, rows);
    if (!parts) return true;
    if (work.ahead?.removeAt !== keptUntil) work.ahead = undefined;
    work.ahead ??= new PartsAhead(parts, keptUntil);
    return work.ahead.write(rows, records, this.#log.maxRowBytes, endsAt);
  }

  async #put(attempt: Attempt, work: Work, rows: LogRows): Promise<boolean> {
    const earlier = work.attempt;
    work.attempt = attempt;
    try {
      return await rows.put(rowOf(attempt.event));
    } catch (error) {
      // Anything else says that this try was not written, and never will be.
      if (isSessionError(error) && error.code !== 'OUTCOME_UNKNOWN') work.attempt = earlier;
      // The next try is to look whether it was, and not to put it once more.
      else this.#seen = undefined;
      throw error;
    }
  }

  /** After a change was made: remembers it, and erases what it left unreachable. */
  async #finish({ event, dropped, popped }: Attempt, moment: Moment, rows: LogRows): Promise<HistoryCommit> {
    this.#seen = { ...moment, tail: event };
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

/** Erases what was written for an event that will not be. */
async function eraseAhead(work: Work, rows: LogRows): Promise<void> {
  const { attempt, ahead } = work;
  if (ahead && !attempt) {
    // It may take effect late, so what it erases is never written again.
    work.erasures++;
    await ahead.erase(rows);
  }
  work.ahead = undefined;
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

/** Of many who write at once one is first, and what the others sent was for nothing: the more often, the fewer should try. */
function makeWay(overtaken: number): Promise<void> {
  const ms = Math.random() * Math.min(2 ** overtaken, LONGEST_WAY_MS);
  return new Promise((resume) => setTimeout(resume, ms));
}

function now(): Moment {
  return { at: performance.now(), date: Date.now() };
}

function isRecent({ at, date }: Seen): boolean {
  return performance.now() - at < TAIL_KEPT_MS && Math.abs(Date.now() - date) < TAIL_KEPT_MS;
}

function versionOf(tail: LogEvent | undefined): Version {
  if (!tail) return UNWRITTEN;
  return isOver(tail) ? `${tail.id}.over` : tail.id;
}

/** Where a history goes on when its newest records are dropped, and the stretches that they are in. */
function dropFrom(
  tail: LogEvent,
  stretches: readonly Stretch[],
  drop: number,
): { under: Place; dropped: Stretch[] } {
  let left = drop;
  const dropped: Stretch[] = [];
  for (const stretch of stretches) {
    const { event, keep } = stretch;
    if (left === 0) return { under: { seq: event.seq, keep }, dropped };
    dropped.push(stretch);
    if (left < keep) return { under: { seq: event.seq, keep: keep - left }, dropped };
    left -= keep;
  }
  // A place without records is never pointed at.
  return { under: dropped.at(-1)?.event.under ?? topOf(tail), dropped };
}

/** Where the stretches are that were dropped. What is dead between them was erased before. */
function litterOf(dropped: readonly Stretch[]): Litter | undefined {
  const [newest, oldest] = [dropped[0], dropped.at(-1)];
  return newest && oldest && { first: oldest.event.seq, last: newest.event.seq };
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

function bytesOf({ head, texts }: LogRow): number {
  return texts.reduce((sum, text) => sum + textBytes(text), utf8Bytes(head));
}
