import type { HistoryChange } from '../store/history-store.ts';
import { utf8Bytes } from '../store/limits.ts';
import type { LogRow } from './event-log.ts';
import type { PartsAhead } from './log-ahead.ts';
import { TOMBSTONE_KEPT_MS } from './log-erasure.ts';
import {
  beginsEmpty,
  type Litter,
  type LogEvent,
  NOWHERE,
  newLife,
  type Place,
  rowOf,
  topOf,
} from './log-event.ts';
import { isKeptFor, keepUntil, later } from './log-expiry.ts';
import { begunIn, splitIntoParts, textBytes } from './log-parts.ts';
import type { Stretch, View } from './log-reader.ts';

/** What a row may grow by when it is written anew: it may be cut, get an end, or say until where all is erased. */
const GROWS_BYTES = 100;

/** A change on its way: the event that is written for it, and what it drops. */
export interface Attempt {
  readonly event: LogEvent;
  readonly dropped: readonly Stretch[];
  readonly popped?: string | undefined;
}

/**
 * The event that makes a change.
 *
 * @param view - what was found of the history, as far down as the change drops of it
 * @param ahead - what was written for the change before, if the event has to name it
 */
export function attemptOf(
  { id, drop, add, operation, clear }: HistoryChange,
  { tail, live, stretches }: View,
  ahead: PartsAhead,
  ttlMs: number | undefined,
  maxRowBytes: number,
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
  const endsAt = clear ? undefined : ttlMs === undefined ? live?.endsAt : Date.now() + ttlMs;
  const keptUntil = clear ? undefined : keptUntilOf(endsAt, live, ttlMs);
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
  if (bytesOf(rowOf(event)) + GROWS_BYTES <= maxRowBytes) return { event, dropped };
  const counts = splitIntoParts(add, maxRowBytes).map(begunIn);
  const parts = { life: life.seq, name: ahead.nameFor(life.seq), counts };
  return { event: { ...event, records: [], parts }, dropped };
}

/** Until when the rows last, if the session ends then. */
function keptUntilOf(
  endsAt: number | undefined,
  live: LogEvent | undefined,
  ttlMs: number | undefined,
): number | undefined {
  if (endsAt === undefined) return undefined;
  const mustGrow = live?.endsAt !== undefined && !isKeptFor(live, endsAt);
  // The end may be one that somebody else gave, who says for how long.
  const isNew = !live || beginsEmpty(live) || mustGrow;
  // This row goes no sooner than the end of the one below, which would be the newest then.
  const last = Math.max(endsAt, live?.endsAt ?? 0);
  return isNew ? keepUntil(last, ttlMs ?? 0) : live.keptUntil;
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

function bytesOf({ head, texts }: LogRow): number {
  return texts.reduce((sum, text) => sum + textBytes(text), utf8Bytes(head));
}
