import { SessionError } from '../errors.ts';
import type { LogRow } from './event-log.ts';
import { eventKey, eventOf, type Life, type LogEvent, ordered } from './log-event.ts';
import { lasts } from './log-expiry.ts';
import { isSeen, type LogReader } from './log-reader.ts';
import type { LogRows } from './log-rows.ts';

/**
 * How many events the next aims name. Who was overtaken has to be as quick as those who have no operation, or it is
 * overtaken until they are done.
 */
const AIMED_AT_AGAIN = 16;

/**
 * Says at which events an operation is aimed, so that it is found without reading the history. Written before the event:
 * an event that bears an operation stands only where the newest aim says. The next aim is a row of its own, since to
 * insert is all that every store does atomically. It is written only when it is known that other events stand at all of
 * the one before.
 */
interface Head {
  readonly aim: number;
  /** The last of several. */
  readonly to?: number;
}

/** An operation as its event and its aims know it: the id hashed, since a key has no room for any that a caller may choose. */
export interface LogOperation {
  readonly id: string;
  readonly digest: string;
}

/** What is known of an operation: that it was applied, or else its newest aim, if there is one. */
type Known = 'applied' | LogRow | undefined;

/** Looks for one operation, for one call. */
export class OperationSearch {
  readonly #rows: LogRows;
  readonly #reader: LogReader;
  readonly #operation: LogOperation;
  /** The newest aim, as this call found or wrote it last. */
  #newest: LogRow | undefined;
  /** Up to which event others are known to stand where it says. */
  #passed = 0;

  constructor(rows: LogRows, reader: LogReader, operation: LogOperation) {
    this.#rows = rows;
    this.#reader = reader;
    this.#operation = operation;
  }

  /**
   * Whether the operation was applied in this life. `ahead` if only a newer look can say it.
   *
   * @param mayRemember - whether the aim will do that was the newest before. If it is not any more, no event can be written
   * where it says: enough for whoever tries that and decides nothing else.
   * @throws SessionError `OPERATION_CONFLICT` if it was applied with another digest
   */
  async find(tail: LogEvent, events: readonly LogEvent[], mayRemember: boolean): Promise<Known | 'ahead'> {
    const { digest } = this.#operation;
    if (!mayRemember) this.#know(undefined);
    const row = await this.#newestAim(tail.life);
    if (!row) return undefined;
    const { first, last } = aimOf(row);
    const event = await this.#among(first, Math.min(last, tail.seq), events);
    if (event) {
      if (event.operation?.digest !== digest) throw new SessionError('OPERATION_CONFLICT');
      return 'applied';
    }
    // Who aimed there saw a newer event than this look did, unless that was removed with the session it ended.
    return first > tail.seq + 1 && !this.#reader.isTornAgain(tail) ? 'ahead' : row;
  }

  /** Says that the operation is aimed at an event, before that is written. `false` if somebody else aims it elsewhere. */
  async aim({ seq, life, keptUntil: removeAt }: LogEvent, known: LogRow | undefined): Promise<boolean> {
    let row = known;
    if (!row || !isAimedAt(row, seq)) {
      const head: Head = known ? { aim: seq, to: seq + AIMED_AT_AGAIN - 1 } : { aim: seq };
      const key = `${this.#prefixOf(life)}${ordered(known ? placeOf(known) + 1 : 0)}`;
      const next = { key, rev: 0, head: JSON.stringify(head), texts: [], removeAt };
      row = (await this.#write(next)) ? next : await this.#rows.row(key);
      // Nobody here has looked at events that are before this one.
      if (!row || aimOf(row).first !== seq) return false;
      // Written when the session had no end.
      if (known && known.removeAt === undefined && removeAt !== undefined)
        await this.#rows.put({ ...known, rev: known.rev + 1, removeAt });
    }
    return lasts(row, removeAt) || this.#write({ ...row, rev: row.rev + 1, removeAt });
  }

  /** The event of the operation, if it is one of these. What stands there stays there for a life, so none is looked at twice. */
  async #among(first: number, last: number, events: readonly LogEvent[]): Promise<LogEvent | undefined> {
    const begin = Math.max(first, this.#passed + 1);
    const isIt = ({ seq, operation }: LogEvent) =>
      seq >= begin && seq <= last && operation?.id === this.#operation.id;
    const found = events.find(isIt);
    if (found) return found;
    if (begin <= last && !isSeen(begin, events)) {
      const range = { first: eventKey(begin), last: eventKey(last), expected: last - begin + 1, heads: true };
      for await (const row of this.#rows.scan(range)) {
        const event = eventOf(row);
        if (isIt(event)) return event;
        if (event.seq === last) break;
      }
    }
    this.#passed = last;
    return undefined;
  }

  async #write(row: LogRow): Promise<boolean> {
    const isWritten = await this.#rows.put(row);
    this.#know(isWritten ? row : undefined);
    return isWritten;
  }

  #know(row: LogRow | undefined): void {
    if (row?.key !== this.#newest?.key) this.#passed = 0;
    this.#newest = row;
  }

  async #newestAim(life: Life): Promise<LogRow | undefined> {
    const prefix = this.#prefixOf(life);
    if (this.#newest?.key.startsWith(prefix)) return this.#newest;
    const aims = { first: prefix, last: `${prefix}~`, newestFirst: true, expected: 1 };
    for await (const row of this.#rows.scan(aims)) {
      this.#know(row);
      return row;
    }
    return undefined;
  }

  #prefixOf({ seq, name }: Life): string {
    return `o${ordered(seq)}.${name}.${this.#operation.id}.`;
  }
}

function placeOf({ key }: LogRow): number {
  return Number(key.slice(key.lastIndexOf('.') + 1));
}

function aimOf({ head }: LogRow): { first: number; last: number } {
  const { aim, to = aim } = JSON.parse(head) as Head;
  return { first: aim, last: to };
}

function isAimedAt(row: LogRow, seq: number): boolean {
  const { first, last } = aimOf(row);
  return seq >= first && seq <= last;
}
