import { SessionError } from '../errors.ts';
import type { LogRow } from './event-log.ts';
import { type Life, type LogEvent, ordered } from './log-event.ts';
import { lasts } from './log-expiry.ts';
import type { LogReader } from './log-reader.ts';
import type { LogRows } from './log-rows.ts';

/**
 * Says at which event an operation was aimed, so that it is found without reading the history. Written before the event:
 * an event that bears an operation stands only where the operation's row says, or said until it was known that another
 * event stands there.
 */
interface Head {
  readonly aim: number;
}

/** An operation as its event and its row know it: the id hashed, since a key has no room for any that a caller may choose. */
export interface LogOperation {
  readonly id: string;
  readonly digest: string;
}

/** What is known of an operation: that it was applied, or else where it was aimed, if it was. */
type Known = 'applied' | LogRow | undefined;

/** Looks for one operation, for one call. */
export class OperationSearch {
  readonly #rows: LogRows;
  readonly #reader: LogReader;
  readonly #operation: LogOperation;
  /** The operation's row, as this call wrote it last. Whoever moved it since makes the next write fail. */
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
    const key = operationKey(tail.life, id);
    const row = this.#written?.key === key ? this.#written : await this.#rows.row(key);
    if (!row) return undefined;
    const aim = aimOf(row);
    const event = await this.#reader.eventAt(aim, events);
    if (event?.operation?.id === id) {
      if (event.operation.digest !== digest) throw new SessionError('OPERATION_CONFLICT');
      return 'applied';
    }
    // Who aimed there saw a newer event than this look did, unless that was removed with the session it ended.
    return !event && aim > tail.seq + 1 && !this.#reader.isSecond(tail) ? 'ahead' : row;
  }

  /** Says that the operation is aimed at an event, before that is written. `false` if somebody else aims it elsewhere. */
  async aim({ seq, life, removeAt }: LogEvent, known: LogRow | undefined): Promise<boolean> {
    const isAimed = (row: LogRow | undefined) =>
      row !== undefined && aimOf(row) === seq && lasts(row, removeAt);
    if (isAimed(known)) return true;
    const head: Head = { aim: seq };
    const key = operationKey(life, this.#operation.id);
    const row = { key, rev: known ? known.rev + 1 : 0, head: JSON.stringify(head), texts: [], removeAt };
    const isWritten = await this.#rows.put(row);
    this.#written = isWritten ? row : undefined;
    return isWritten || isAimed(await this.#rows.row(key));
  }
}

function operationKey({ seq, name }: Life, operationId: string): string {
  return `o${ordered(seq)}.${name}.${operationId}`;
}

function aimOf({ head }: LogRow): number {
  return (JSON.parse(head) as Head).aim;
}
