import { SessionError } from '../errors.ts';
import type { LogRow } from './event-log.ts';
import { type Life, type LogEvent, ordered } from './log-event.ts';
import { lasts } from './log-expiry.ts';
import type { LogReader } from './log-reader.ts';
import type { LogRows } from './log-rows.ts';

/**
 * Says at which event an operation is aimed, so that it is found without reading the history. Written before the event:
 * an event that bears an operation stands only where the newest aim says. The next aim is a row of its own, since to
 * insert is all that every store does atomically, and is taken only when it is known that another event stands at the one
 * before.
 */
interface Head {
  readonly aim: number;
}

/** An operation as its event and its rows know it: the id hashed, since a key has no room for any that a caller may choose. */
export interface LogOperation {
  readonly id: string;
  readonly digest: string;
}

/** Looks for one operation, for one call. */
export class OperationSearch {
  readonly #rows: LogRows;
  readonly #reader: LogReader;
  readonly #operation: LogOperation;
  /** The life that was searched last. */
  #life: Life | undefined;
  /** The aims in that life, as far as they are known, and all of them once the operation was looked for. */
  #aims: LogRow[] = [];

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
  async find(tail: LogEvent, events: readonly LogEvent[]): Promise<'applied' | 'ahead' | undefined> {
    const { id, digest } = this.#operation;
    const aims = this.#aimsIn(tail.life);
    // Another event stands at each aim that was moved; only at the last of those known there may be news.
    for (let at = Math.max(aims.length - 1, 0); ; at++) {
      const row = aims[at] ?? (await this.#rows.row(aimKey(tail.life, id, at)));
      if (!row) return undefined;
      aims[at] = row;
      const aim = aimOf(row);
      const event = await this.#reader.eventAt(aim, events);
      if (event?.operation?.id === id) {
        if (event.operation.digest !== digest) throw new SessionError('OPERATION_CONFLICT');
        return 'applied';
      }
      if (event || aim <= tail.seq) continue;
      if (aim === tail.seq + 1) return undefined;
      // Who aimed there saw a newer event than this look did, unless that was removed with the session it ended.
      if (!this.#reader.isSecond(tail)) return 'ahead';
    }
  }

  /** Says that the operation is aimed at an event, before that is written. `false` if somebody else aims it elsewhere. */
  async aim({ seq, life, removeAt }: LogEvent): Promise<boolean> {
    const aims = this.#aimsIn(life);
    const newest = aims.at(-1);
    if (!newest || aimOf(newest) !== seq) {
      const head: Head = { aim: seq };
      const key = aimKey(life, this.#operation.id, aims.length);
      const row: LogRow = { key, rev: 0, head: JSON.stringify(head), texts: [], removeAt };
      const there = (await this.#rows.put(row)) ? row : await this.#rows.row(key);
      if (!there || aimOf(there) !== seq) return false;
      aims.push(there);
    }
    return this.#keep(aims, removeAt);
  }

  /** Makes aims stay as long as the event that bears the operation. `false` if somebody else does so too. */
  async #keep(aims: LogRow[], removeAt: number | undefined): Promise<boolean> {
    for (const [at, row] of aims.entries()) {
      if (lasts(row, removeAt)) continue;
      const longer = { ...row, rev: row.rev + 1, removeAt };
      if (!(await this.#rows.put(longer))) {
        this.#life = undefined;
        return false;
      }
      aims[at] = longer;
    }
    return true;
  }

  #aimsIn(life: Life): LogRow[] {
    if (this.#life?.seq !== life.seq || this.#life.name !== life.name) this.#aims = [];
    this.#life = life;
    return this.#aims;
  }
}

function aimKey({ seq, name }: Life, operationId: string, at: number): string {
  return `o${ordered(seq)}.${name}.${operationId}${at === 0 ? '' : `.${at}`}`;
}

function aimOf({ head }: LogRow): number {
  return (JSON.parse(head) as Head).aim;
}
