import { SessionError } from '../errors.ts';
import type { LogRow } from './event-log.ts';
import { type Life, type LogEvent, ordered } from './log-event.ts';
import { lasts } from './log-expiry.ts';
import type { LogReader } from './log-reader.ts';
import type { LogRows } from './log-rows.ts';

/**
 * Says at which event an operation is aimed, so that it is found without reading the history. Written before the event:
 * an event that bears an operation stands only where the newest aim says. The next aim is a row of its own, since to
 * insert is all that every store does atomically. It is written only when it is known that another event stands at the one
 * before.
 */
interface Head {
  readonly aim: number;
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
  /** The newest aim, as this call wrote it last. Whoever wrote one since makes the next write fail. */
  #written: LogRow | undefined;

  constructor(rows: LogRows, reader: LogReader, operation: LogOperation) {
    this.#rows = rows;
    this.#reader = reader;
    this.#operation = operation;
  }

  /**
   * Whether the operation was applied in this life. `ahead` if only a newer look can say it.
   *
   * @throws SessionError `OPERATION_CONFLICT` if it was applied with another digest
   */
  async find(tail: LogEvent, events: readonly LogEvent[]): Promise<Known | 'ahead'> {
    const { id, digest } = this.#operation;
    const row = await this.#newestAim(tail.life);
    if (!row) return undefined;
    const aim = aimOf(row);
    const event = await this.#reader.eventAt(aim, events);
    if (event?.operation?.id === id) {
      if (event.operation.digest !== digest) throw new SessionError('OPERATION_CONFLICT');
      return 'applied';
    }
    // Who aimed there saw a newer event than this look did, unless that was removed with the session it ended.
    return !event && aim > tail.seq + 1 && !this.#reader.isTornAgain(tail) ? 'ahead' : row;
  }

  /** Says that the operation is aimed at an event, before that is written. `false` if somebody else aims it elsewhere. */
  async aim({ seq, life, keptUntil: removeAt }: LogEvent, known: LogRow | undefined): Promise<boolean> {
    let row = known;
    if (!row || aimOf(row) !== seq) {
      const head: Head = { aim: seq };
      const key = `${this.#prefixOf(life)}${ordered(known ? placeOf(known) + 1 : 0)}`;
      const next = { key, rev: 0, head: JSON.stringify(head), texts: [], removeAt };
      row = (await this.#write(next)) ? next : await this.#rows.row(key);
      if (!row || aimOf(row) !== seq) return false;
      // Written when the session had no end.
      if (known && known.removeAt === undefined && removeAt !== undefined)
        await this.#rows.put({ ...known, rev: known.rev + 1, removeAt });
    }
    return lasts(row, removeAt) || this.#write({ ...row, rev: row.rev + 1, removeAt });
  }

  async #write(row: LogRow): Promise<boolean> {
    const isWritten = await this.#rows.put(row);
    this.#written = isWritten ? row : undefined;
    return isWritten;
  }

  async #newestAim(life: Life): Promise<LogRow | undefined> {
    const prefix = this.#prefixOf(life);
    if (this.#written?.key.startsWith(prefix)) return this.#written;
    const aims = { first: prefix, last: `${prefix}~`, newestFirst: true, expected: 1 };
    for await (const row of this.#rows.scan(aims)) return row;
    return undefined;
  }

  #prefixOf({ seq, name }: Life): string {
    return `o${ordered(seq)}.${name}.${this.#operation.id}.`;
  }
}

function placeOf({ key }: LogRow): number {
  return Number(key.slice(key.lastIndexOf('.') + 1));
}

function aimOf({ head }: LogRow): number {
  return (JSON.parse(head) as Head).aim;
}
