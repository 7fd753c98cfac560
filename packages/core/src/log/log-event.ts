import { FINAL, type LogRow } from './event-log.ts';

/** Where a history goes on: with the first `keep` records of an event, and what is below that event. */
export interface Place {
  /** 0: nowhere, the history ends. */
  readonly seq: number;
  readonly keep: number;
}

export const NOWHERE: Place = { seq: 0, keep: 0 };

/** An event of a session's log. Its own records are the newest of the history; the others are where `under` says. */
export interface LogEvent {
  /** 1, 2, 3, …; the event with the highest one says what the history is. */
  readonly seq: number;
  /** The id of the change that made it. */
  readonly id: string;
  readonly under: Place;
  readonly life: Life;
  readonly operation?: { readonly id: string; readonly digest: string } | undefined;
  /** When the session ends, in milliseconds since 1970. */
  readonly endsAt?: number | undefined;
  /** Until when the store removes no row of the session, in milliseconds since 1970. Never, if left out. */
  readonly keptUntil?: number | undefined;
  /** From which event to which there may be content that this one made unreachable. Left out: there is none any more. */
  readonly litter?: Litter | undefined;
  /** All events up to this one are erased. */
  readonly erased: number;
  /** Where the records are, if they do not fit into the row. */
  readonly parts?: Parts | undefined;
  /** How many records it has left. */
  readonly size: number;
  /** The records it has left, if they are in the row. */
  readonly records: readonly string[];
  /** Some of its records were erased, so there is a newer event. */
  readonly cut?: boolean | undefined;
  /** Of its row; {@link FINAL} or more if all was erased. */
  readonly rev: number;
  readonly removeAt?: number | undefined;
}

/** Which events, from one seq to another; none if they are the wrong way round. */
export interface Litter {
  readonly first: number;
  readonly last: number;
  /** Also what is left of earlier lives: their operations, and parts that no event came to name. */
  readonly lives?: true | undefined;
}

/**
 * What the first event begins, each clear, and each write after an expiry. Operations are known in one life only, and what
 * has a lower seq than the life that a clear began is rubbish.
 */
export interface Life {
  /** A clear's own seq, or else that before the event that began the life. So a clear never shares it with what it met there. */
  readonly seq: number;
  /** The beginning of the id of the change that began it. */
  readonly name: string;
}

/** Records that were written in parts, before the event that names them. */
export interface Parts {
  /** The seq of the event's life. */
  readonly life: number;
  /** Tells the tries of a change apart. */
  readonly name: string;
  /** How many records begin in each part. */
  readonly counts: readonly number[];
}

interface Head {
  readonly id: string;
  readonly under?: readonly [seq: number, keep: number];
  readonly life?: readonly [seq: number, name: string];
  readonly operation?: readonly [id: string, digest: string];
  readonly endsAt?: number;
  readonly keptUntil?: number;
  readonly litter?: readonly [first: number, last: number, lives?: 1];
  readonly erased?: number;
  readonly parts?: readonly [life: number, name: string, ...counts: number[]];
  readonly cut?: true;
}

export function rowOf(event: LogEvent): LogRow {
  const {
    seq,
    id,
    under,
    life,
    operation,
    endsAt,
    keptUntil,
    litter,
    erased,
    parts,
    records,
    cut,
    rev,
    removeAt,
  } = event;
  const head: Head = {
    id,
    under: [under.seq, under.keep],
    life: [life.seq, life.name],
    ...(operation && { operation: [operation.id, operation.digest] }),
    ...(endsAt !== undefined && { endsAt }),
    ...(keptUntil !== undefined && { keptUntil }),
    ...(litter && { litter: litter.lives ? [litter.first, litter.last, 1] : [litter.first, litter.last] }),
    ...(erased > 0 && { erased }),
    ...(parts && { parts: [parts.life, parts.name, ...parts.counts] }),
    ...(cut && { cut: true }),
  };
  return { key: eventKey(seq), rev, head: JSON.stringify(head), texts: records, removeAt };
}

/** What is left of an event that nobody can reach: that it was there, whose it was, and its operation if that is still known. */
export function tombstoneOf(
  { seq, id, operation }: Pick<LogEvent, 'seq' | 'id' | 'operation'>,
  removeAt: number | undefined,
): LogRow {
  const head: Head = { id, ...(operation && { operation: [operation.id, operation.digest] }) };
  return { key: eventKey(seq), rev: FINAL, head: JSON.stringify(head), texts: [], removeAt };
}

export function eventOf({ key, rev, head, texts, removeAt }: LogRow): LogEvent {
  const {
    id,
    under,
    life,
    operation,
    endsAt,
    keptUntil,
    litter,
    erased = 0,
    parts,
    cut,
  } = JSON.parse(head) as Head;
  return {
    seq: Number(key.slice(1)),
    id,
    under: under ? { seq: under[0], keep: under[1] } : NOWHERE,
    life: life ? { seq: life[0], name: life[1] } : { seq: 0, name: '' },
    operation: operation && { id: operation[0], digest: operation[1] },
    endsAt,
    keptUntil,
    litter: litter && { first: litter[0], last: litter[1], lives: litter[2] && true },
    erased,
    parts: parts && { life: parts[0], name: parts[1], counts: parts.slice(2) as number[] },
    size: parts ? (parts.slice(2) as number[]).reduce((sum, count) => sum + count, 0) : texts.length,
    records: texts,
    cut,
    rev,
    removeAt,
  };
}

/** Whether all of an event was erased. */
export function isFinal({ rev }: LogEvent): boolean {
  return rev >= FINAL;
}

/** Whether an event has nothing left to be erased. */
export function isEmptied(event: LogEvent): boolean {
  return isFinal(event) || (event.cut === true && event.size === 0);
}

/** Whether an event was erased, in part or all: then there is a newer one, or was. */
export function isErased(event: LogEvent): boolean {
  return event.cut === true || isFinal(event);
}

/** Whether an event began a life. */
export function beginsLife({ id, life }: LogEvent): boolean {
  return life.name !== '' && id.startsWith(life.name);
}

/** Whether an event began a life in which nothing was written yet. */
export function beginsEmpty(event: LogEvent): boolean {
  return beginsLife(event) && event.size === 0 && event.under.seq === 0 && !event.operation;
}

/** Whether an event began a life in which nothing was written yet, and nothing is left of those before. */
export function isFresh(event: LogEvent): boolean {
  return beginsEmpty(event) && !event.litter;
}

/** The life that a change begins, if it is written as the event with this seq. */
export function newLife(seq: number, id: string, isClear: boolean): Life {
  return { seq: isClear ? seq : seq - 1, name: id.slice(0, LIFE_NAME_LENGTH) };
}

/** Where the history begins, seen from its newest event. */
export function topOf({ seq, size, under }: LogEvent): Place {
  return size > 0 ? { seq, keep: size } : under;
}

const SEQ_DIGITS = 15;

/** Enough of a random id to tell the lives of a session apart that would have begun at the same event. */
const LIFE_NAME_LENGTH = 8;

export function ordered(seq: number): string {
  return String(seq).padStart(SEQ_DIGITS, '0');
}

export function eventKey(seq: number): string {
  return `e${ordered(seq)}`;
}

/** Comes after all events, and before the rows of operations, `o…`, and of parts, `p…`. */
export const LAST_EVENT = 'e~';
/** Comes after all rows. */
export const LAST_ROW = 'p~';

/** The life in which the row of an operation or of a part was written. */
export function lifeOf(key: string): number {
  return Number(key.slice(1, 1 + SEQ_DIGITS));
}
