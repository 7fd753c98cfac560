import { SessionError } from '../errors.ts';
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
import { type EventLog, FINAL, type LogErasure, type LogRow } from './event-log.ts';
import {
  eventKey,
  eventOf,
  LAST_EVENT,
  LAST_ROW,
  type Life,
  type LogEvent,
  lifeOf,
  NOWHERE,
  type Parts,
  type Place,
  rowOf,
  tombstoneOf,
  topOf,
} from './log-event.ts';
import { aimOf, operationKey, operationRow } from './log-operations.ts';
import {
  begunIn,
  cutPart,
  cutParts,
  joinParts,
  partErasures,
  partKey,
  partRow,
  partsWith,
  splitIntoParts,
} from './log-parts.ts';

/** How long the newest event that was seen may be taken for the newest, in milliseconds; a write there finds out. */
const TAIL_KEPT_MS = 10_000;

/**
 * How long the row of an event that was erased stays, in milliseconds: far longer than anybody may take an old event for
 * the newest. A write after such an old event must meet a row, not a gap, or nobody would ever read it.
 */
const TOMBSTONE_KEPT_MS = 24 * 60 * 60 * 1_000;

/** How many dead events are read past before the reader asks again further down. */
const PASSED_AT_MOST = 16;

/** How many rows are erased at once. */
const ERASED_AT_ONCE = 100;

/** How many rows are asked for at once, whatever is wanted. */
const EXPECTED_AT_MOST = 1_000;

/** The options that concern a log. */
export type LogOptions = Pick<ResolvedStoreOptions, 'ttlMs' | 'refreshTtlOnRead'>;

/** A version of a session without events. */
const UNWRITTEN: Version = '0';

/** A stretch of the history: the first `keep` records of an event. */
interface Stretch {
  readonly event: LogEvent;
  readonly keep: number;
}

/** What was found of a history. */
interface View {
  /** The newest event. */
  readonly tail: LogEvent | undefined;
  /** From the newest on, as far as was asked for. None of a session that is over. */
  readonly stretches: readonly Stretch[];
}

/** A change on its way: the event that is written for it, and what it drops. */
interface Attempt {
  readonly event: LogEvent;
  readonly dropped: readonly Stretch[];
  readonly popped?: string | undefined;
}

/**
 * A history in a log of events: each adds records, and says where the history goes on under them. A change is one
 * conditional insert after the newest event, so that of two writers one is first and the other tries again. What a change
 * leaves unreachable is erased afterwards, as part of the call.
 *
 * @see docs/decisions/0009-event-log.md
 */
export class LogHistory implements HistoryStore {
  readonly #log: EventLog;
  readonly #options: LogOptions;
  /** The newest event, as this instance saw it last. */
  #seen: { readonly tail: LogEvent; readonly at: number } | undefined;
  /** The change under way, if it may have been written. */
  #attempt: Attempt | undefined;
  /** The life and the change that parts were written for. */
  #written: string | undefined;
  /** The newest event of what this call found torn by an erasure. */
  #torn: string | undefined;

  constructor(log: EventLog, options: LogOptions) {
    this.#log = log;
    this.#options = options;
  }

  async read({ limit }: HistoryQuery, call: StoreCall): Promise<HistoryRead> {
    return this.#untilDone(call, async () => {
      const view = await this.#look(limit, call);
      const records = view && (await this.#recordsOf(view, limit, call));
      if (!records) return undefined;
      const { tail } = view;
      if (tail && this.#options.refreshTtlOnRead && !isOver(tail) && !(await this.#renew(tail, call)))
        return undefined;
      return { records, version: versionOf(tail) };
    });
  }

  async commit(change: HistoryChange, call: StoreCall): Promise<HistoryCommit> {
    const { operation } = change;
    // In a key there is no room for any id that a caller may choose.
    const hashed = operation && { id: await digest(operation.id), digest: operation.digest };
    return this.#untilDone(call, () => this.#try({ ...change, operation: hashed }, call));
  }

  async close(): Promise<void> {
    await this.#log.close?.();
  }

  /** Tries again whenever somebody else was first, until the time is up. */
  async #untilDone<T>(call: StoreCall, attempt: () => Promise<T | undefined>): Promise<T> {
    this.#torn = undefined;
    for (;;) {
      const result = await attempt();
      if (result !== undefined) return result;
      if (call.signal.aborted) throw new SessionError('UNAVAILABLE');
    }
  }

  /** Reads from the newest event down, as many records as are wanted. `undefined` if an erasure came in between. */
  async #look(wanted: number | undefined, call: StoreCall): Promise<View | undefined> {
    const stretches: Stretch[] = [];
    let tail: LogEvent | undefined;
    let place = NOWHERE;
    let missing = wanted ?? Number.POSITIVE_INFINITY;
    for (let last: string | undefined = LAST_EVENT; last !== undefined; ) {
      const expected = Math.min(Math.max(missing, 1), EXPECTED_AT_MOST);
      const rows = this.#log.scan({ first: eventKey(1), last, newestFirst: true, expected }, call);
      last = undefined;
      let passed = 0;
      for await (const row of rows) {
        const event = eventOf(row);
        if (!tail) {
          tail = event;
          if (event.cut || event.rev === FINAL) {
            // There was a newer event, which this scan missed. If it still is not there, its end has come, and the session's.
            if (this.#torn !== event.id) return this.#tornAt(event);
            tail = { ...event, endsAt: 0 };
          }
          if (isOver(tail)) break;
          place = topOf(event);
        }
        if (place.seq === 0 || missing <= 0) break;
        if (event.seq > place.seq) {
          if (event === tail || ++passed <= PASSED_AT_MOST) continue;
          last = eventKey(place.seq);
          break;
        }
        if (event.seq < place.seq || event.size < place.keep) return this.#tornAt(tail);
        stretches.push({ event, keep: place.keep });
        missing -= place.keep;
        place = event.under;
        passed = 0;
        if (place.seq === 0 || missing <= 0) break;
      }
      if (last === undefined && tail && place.seq !== 0 && missing > 0) return this.#tornAt(tail);
    }
    this.#seen = tail && { tail, at: performance.now() };
    return { tail, stretches };
  }

  /** What is missing was erased after a newer event was written, which the next look sees. Unless it was never there. */
  #tornAt({ id }: LogEvent): undefined {
    if (this.#torn === id) {
      const message = 'Rows of the session are missing in the store. Clear the session, or restore them.';
      throw new SessionError('INCOMPATIBLE_STORE', { message });
    }
    this.#torn = id;
    return undefined;
  }

  /** The newest records of what was found, oldest first. `undefined` if an erasure came in between. */
  async #recordsOf(view: View, wanted: number | undefined, call: StoreCall): Promise<string[] | undefined> {
    const found: (readonly string[])[] = [];
    let missing = wanted ?? Number.POSITIVE_INFINITY;
    for (const { event, keep } of view.stretches) {
      const start = Math.max(0, keep - missing);
      const { parts } = event;
      const records = parts
        ? await this.#readParts(parts, start, keep, call)
        : event.records.slice(start, keep);
      if (records.length < keep - start) return this.#tornAt(view.tail!);
      found.push(records);
      missing -= records.length;
    }
    return found.reverse().flat();
  }

  async #readParts(parts: Parts, start: number, end: number, call: StoreCall): Promise<string[]> {
    const { first, last, skip } = partsWith(parts, start, end);
    const rows: LogRow[] = [];
    const range = { first: partKey(parts, first), last: partKey(parts, last), expected: last - first + 1 };
    for await (const row of this.#log.scan(range, call)) rows.push(row);
    return rows.length > last - first ? joinParts(rows).slice(skip, skip + end - start) : [];
  }

  async #row(key: string, call: StoreCall): Promise<LogRow | undefined> {
    for await (const row of this.#log.scan({ first: key, last: key, expected: 1 }, call)) return row;
    return undefined;
  }

  async #event(seq: number, call: StoreCall): Promise<LogEvent | undefined> {
    const row = await this.#row(eventKey(seq), call);
    return row && eventOf(row);
  }

  /** One try of a change. `undefined` if somebody else was first. */
  async #try(change: HistoryChange, call: StoreCall): Promise<HistoryCommit | undefined> {
    const tried = this.#attempt?.event.id === change.id ? this.#attempt : undefined;
    const view = await this.#viewFor(change, tried, call);
    if (!view) return undefined;
    const { tail } = view;
    if (tried && tail && tail.seq >= tried.event.seq) {
      const there = tail.seq === tried.event.seq ? tail : await this.#event(tried.event.seq, call);
      if (there?.id === change.id) {
        const commit = await this.#finish(tried, call);
        this.#seen = undefined;
        return commit;
      }
    }

    const { operation, ifVersion, add } = change;
    const live = tail && !isOver(tail) ? tail : undefined;
    const known = operation && live && (await this.#findOperation(live, operation, call));
    if (known === 'applied') return {};
    if (known === 'ahead') return undefined;
    if (ifVersion !== undefined && ifVersion !== versionOf(tail)) throw new SessionError('CONFLICT');
    const popped = isPop(change) ? await this.#recordsOf(view, 1, call) : [];
    if (!popped) return undefined;
    if (popped[0]?.startsWith(HELD_MARK)) throw new SessionError('UNREADABLE_ITEM');
    if (changesNothing(change, view)) return {};

    const attempt: Attempt = { ...this.#attemptOf(change, view), popped: popped[0] };
    const { event } = attempt;
    if (operation && !(await this.#aim(event, operation.id, known, call))) return undefined;
    if (live && event.keptUntil !== live.keptUntil && !(await this.#keepRows(event, call))) return undefined;
    if (event.parts) await this.#writeParts(event, event.parts, add, call);
    this.#attempt = attempt;
    if (await this.#log.put(rowOf(event), call)) return this.#finish(attempt, call);
    this.#seen = undefined;
    return undefined;
  }

  /** What a change has to know of the history. For most that is the newest event, which may have been seen just now. */
  async #viewFor(
    { drop, operation, ifVersion }: HistoryChange,
    tried: unknown,
    call: StoreCall,
  ): Promise<View | undefined> {
    const seen = this.#seen && performance.now() - this.#seen.at < TAIL_KEPT_MS ? this.#seen.tail : undefined;
    const isAppend = drop === 0 && !operation && ifVersion === undefined;
    // What ends may have been given more time since.
    const mayEnd = seen?.endsAt !== undefined && (this.#options.ttlMs === undefined || isOver(seen));
    if (isAppend && !tried && seen?.swept && !mayEnd) return { tail: seen, stretches: [] };

    const view = await this.#look(drop === 'all' ? 0 : drop, call);
    const tail = view?.tail;
    if (!tail || tail.swept || isOver(tail)) return view;
    // Whoever left it is gone, or does it once more.
    return { ...view, tail: await this.#sweep(tail, call) };
  }

  /** The event that makes a change. */
  #attemptOf({ id, drop, add, operation, clear }: HistoryChange, { tail, stretches }: View): Attempt {
    const live = tail && !isOver(tail) ? tail : undefined;
    const seq = (tail?.seq ?? 0) + 1;
    const life: Life = live && !clear ? live.life : { seq, name: id.slice(0, 8) };
    const { under, dropped } =
      live && drop !== 'all' ? dropFrom(live, stretches, drop) : { under: NOWHERE, dropped: [] };
    const leavesNothing =
      tail === undefined || (live !== undefined && drop !== 'all' && dropped.length === 0);
    const { ttlMs } = this.#options;
    const endsAt = clear ? undefined : ttlMs === undefined ? live?.endsAt : Date.now() + ttlMs;
    const keptUntil = keepUntil(endsAt, clear ? undefined : live);
    const event: LogEvent = {
      seq,
      id,
      under,
      life,
      operation,
      endsAt,
      keptUntil,
      swept: leavesNothing,
      erased: tail?.erased ?? 0,
      size: add.length,
      records: add,
      rev: 0,
      removeAt: clear ? Date.now() + TOMBSTONE_KEPT_MS : keptUntil,
    };
    const { maxRowBytes } = this.#log;
    if (bytesOf(rowOf(event)) <= maxRowBytes) return { event, dropped };
    const counts = splitIntoParts(add, maxRowBytes).map(begunIn);
    return { event: { ...event, records: [], parts: { life: life.seq, name: id, counts } }, dropped };
  }

  /** Writes the records that an event names, unless an earlier try did. */
  async #writeParts(
    { removeAt }: LogEvent,
    parts: Parts,
    records: readonly string[],
    call: StoreCall,
  ): Promise<void> {
    const name = partKey(parts, 0);
    if (this.#written === name) return;
    for (const [index, part] of splitIntoParts(records, this.#log.maxRowBytes).entries()) {
      await this.#log.put(partRow(parts, index, part, removeAt), call);
    }
    this.#written = name;
  }

  /** Whether an operation was applied in this life, or else the row that says where it was aimed. */
  async #findOperation(
    tail: LogEvent,
    { id, digest: wanted }: { readonly id: string; readonly digest: string },
    call: StoreCall,
  ): Promise<LogRow | 'applied' | 'ahead' | undefined> {
    const row = await this.#row(operationKey(tail.life, id), call);
    if (!row) return undefined;
    const aim = aimOf(row);
    const event = aim === tail.seq ? tail : await this.#event(aim, call);
    if (event?.operation?.id === id) {
      if (event.operation.digest !== wanted) throw new SessionError('OPERATION_CONFLICT');
      return 'applied';
    }
    return !event && aim > tail.seq + 1 ? 'ahead' : row;
  }

  /** Says that an operation is aimed at an event, before that is written. `false` if somebody else aims it elsewhere. */
  async #aim(
    { seq, life, removeAt }: LogEvent,
    id: string,
    known: LogRow | undefined,
    call: StoreCall,
  ): Promise<boolean> {
    if (known && aimOf(known) === seq) return true;
    const row = operationRow(operationKey(life, id), seq, known, removeAt);
    if (await this.#log.put(row, call)) return true;
    const there = await this.#row(row.key, call);
    return there !== undefined && aimOf(there) === seq;
  }

  /** After a change was made: remembers it, and erases what it left unreachable. */
  async #finish({ event, dropped, popped }: Attempt, call: StoreCall): Promise<HistoryCommit> {
    this.#attempt = undefined;
    this.#seen = { tail: event, at: performance.now() };
    try {
      let tail = event;
      if (!tail.swept && dropped.length > 0) tail = await this.#eraseDropped(tail, dropped, call);
      if (!tail.swept) tail = await this.#sweep(tail, call);
      if (tail.endsAt !== undefined && tail.keptUntil === undefined) tail = await this.#endRows(tail, call);
      this.#seen = { tail, at: performance.now() };
    } catch {
      // The change is made, and its event says what there is left to do. The next write does it.
    }
    return { popped };
  }

  /** Erases the stretches that a change dropped. Its event goes on saying so, which is cheaper than to write it again. */
  async #eraseDropped(event: LogEvent, dropped: readonly Stretch[], call: StoreCall): Promise<LogEvent> {
    const dead = dropped.filter((stretch) => stretch.event.seq !== event.under.seq);
    await this.#bury(
      dead.map((stretch) => stretch.event),
      event,
      call,
    );
    const cut = dropped.find((stretch) => stretch.event.seq === event.under.seq);
    if (cut) await this.#cut(cut.event, event.under.keep, call);
    return { ...event, swept: true };
  }

  /** Erases all that an event made unreachable: between it and what is under it, and of lives before its own. */
  async #sweep(event: LogEvent, call: StoreCall): Promise<LogEvent> {
    const { seq, under, life, erased } = event;
    const range = {
      first: eventKey(Math.max(under.seq, erased + 1)),
      last: eventKey(seq - 1),
      expected: ERASED_AT_ONCE,
    };
    let dead: LogEvent[] = [];
    for await (const row of this.#log.scan(range, call)) {
      const found = eventOf(row);
      if (found.seq === under.seq) await this.#cut(found, under.keep, call);
      else if (found.rev !== FINAL) dead.push(found);
      if (dead.length < ERASED_AT_ONCE) continue;
      await this.#bury(dead, event, call);
      dead = [];
    }
    await this.#bury(dead, event, call);
    if (life.seq === seq) await this.#forgetLives(life, call);
    if (under.seq !== 0) return { ...event, swept: true };
    const swept: LogEvent = { ...event, swept: true, erased: seq - 1, rev: event.rev + 1 };
    return (await this.#log.put(rowOf(swept), call)) ? swept : { ...swept, rev: event.rev };
  }

  /** Leaves nothing of events but that they were there. An operation's stays as long as its life. */
  async #bury(dead: readonly LogEvent[], { life, removeAt }: LogEvent, call: StoreCall): Promise<void> {
    const soon = Date.now() + TOMBSTONE_KEPT_MS;
    const erasures = dead.flatMap((event): LogErasure[] => {
      const stays = event.operation !== undefined && event.life.seq === life.seq;
      const leave = tombstoneOf(event, stays ? removeAt : soon);
      return [{ key: leave.key, leave }, ...partErasures(event)];
    });
    if (erasures.length > 0) await this.#log.erase(erasures, call);
  }

  /** Removes the operations of earlier lives, and the parts that no event came to name. */
  async #forgetLives({ seq }: Life, call: StoreCall): Promise<void> {
    const erasures: LogErasure[] = [];
    const range = { first: LAST_EVENT, last: LAST_ROW, expected: ERASED_AT_ONCE, heads: true };
    for await (const { key } of this.#log.scan(range, call)) if (lifeOf(key) < seq) erasures.push({ key });
    if (erasures.length > 0) await this.#log.erase(erasures, call);
  }

  /** Shortens an event to its first records. Never makes it longer, whoever else is at work on it. */
  async #cut(found: LogEvent, keep: number, call: StoreCall): Promise<void> {
    for (
      let event: LogEvent | undefined = found;
      event && event.size > keep;
      event = await this.#event(found.seq, call)
    ) {
      const shorter = { ...event, size: keep, cut: true, rev: event.rev + 1 };
      if (event.parts) {
        const { parts, last, left, gone } = cutParts(event.parts, keep);
        const row = await this.#row(partKey(parts, last), call);
        if (row && !(await this.#log.put(cutPart(row, left), call))) continue;
        if (gone.length > 0)
          await this.#log.erase(
            gone.map((key) => ({ key })),
            call,
          );
        if (await this.#log.put(rowOf({ ...shorter, parts }), call)) return;
      } else if (await this.#log.put(rowOf({ ...shorter, records: event.records.slice(0, keep) }), call))
        return;
    }
  }

  /** Moves the end of the session. `false` if it was changed meanwhile. */
  async #renew(tail: LogEvent, call: StoreCall): Promise<boolean> {
    const { ttlMs } = this.#options;
    if (ttlMs === undefined) return true;
    const endsAt = Date.now() + ttlMs;
    const keptUntil = keepUntil(endsAt, tail);
    const renewed = { ...tail, endsAt, keptUntil, removeAt: keptUntil, rev: tail.rev + 1 };
    if (keptUntil !== tail.keptUntil && !(await this.#keepRows(renewed, call))) return false;
    // Its row may just have been kept longer.
    const row = keptUntil === tail.keptUntil ? tail : await this.#event(tail.seq, call);
    if (!row || !(await this.#log.put(rowOf({ ...renewed, rev: row.rev + 1 }), call))) return false;
    this.#seen = undefined;
    return true;
  }

  /** Makes the rows that an event goes on from last as long as it does. `false` if they were changed meanwhile. */
  async #keepRows({ keptUntil, endsAt }: LogEvent, call: StoreCall): Promise<boolean> {
    const range = { first: eventKey(1), last: LAST_ROW, expected: EXPECTED_AT_MOST };
    for await (const row of this.#log.scan(range, call)) {
      if (row.rev === FINAL)
        await this.#log.erase([{ key: row.key, leave: { ...row, removeAt: keptUntil } }], call);
      else if (
        !(await this.#log.put({ ...withEnd(row, endsAt), rev: row.rev + 1, removeAt: keptUntil }, call))
      )
        return false;
    }
    return true;
  }

  /** Gives the rows of a session that was for ever an end, now that it has one. */
  async #endRows(tail: LogEvent, call: StoreCall): Promise<LogEvent> {
    const keptUntil = tail.endsAt! + (this.#options.ttlMs ?? 0);
    const ended = { ...tail, keptUntil, removeAt: keptUntil };
    if (!(await this.#keepRows(ended, call))) return tail;
    const row = await this.#event(tail.seq, call);
    if (!row) return tail;
    const rev = row.rev + 1;
    return (await this.#log.put(rowOf({ ...ended, rev }), call)) ? { ...ended, rev } : tail;
  }
}

/** Whether a session came to its end, or was removed (TTL-2). */
function isOver({ endsAt }: LogEvent): boolean {
  return endsAt !== undefined && endsAt <= Date.now();
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

/** Whether a change leaves a history as it is, and nothing to remember either. */
function changesNothing(change: HistoryChange, { tail, stretches }: View): boolean {
  if (change.add.length > 0 || change.operation) return false;
  if (isPop(change)) return stretches.length === 0;
  return !tail || (change.clear === true && isFresh(tail));
}

/** Whether an event began a life of which nothing is known yet. */
function isFresh({ seq, size, under, life, operation, swept }: LogEvent): boolean {
  return size === 0 && under.seq === 0 && life.seq === seq && !operation && swept;
}

/** Until when the rows of a session have to last that ends when it is said. Moved now and then only, since it is said of each. */
function keepUntil(endsAt: number | undefined, live: LogEvent | undefined): number | undefined {
  if (endsAt === undefined) return undefined;
  if (live && (live.keptUntil === undefined || live.keptUntil >= endsAt)) return live.keptUntil;
  return endsAt + (endsAt - Date.now());
}

/** An event's row of which the store did not know when it ends. */
function withEnd(row: LogRow, endsAt: number | undefined): LogRow {
  if (row.key > LAST_EVENT) return row;
  const event = eventOf(row);
  return event.endsAt === undefined ? rowOf({ ...event, endsAt }) : row;
}

function bytesOf({ head, texts }: LogRow): number {
  return texts.reduce((sum, text) => sum + utf8Bytes(text), utf8Bytes(head));
}
