import { type LogEvent, topOf } from './log-event.ts';
import type { View } from './log-reader.ts';

/** How many rows a first look asks for, and any for one record: a pop or two may be on top of what it wants. */
const FIRST_ROWS = 4;

/** How many rows a first look for the newest event asks for: what a pop erased is under it. */
const NEWEST_ROWS = 2;

/** How many rows a look asks for that also looks for what was tried: who was first then, and who since. */
const OVERTAKEN_ROWS = 8;

/** How many dead rows a look asks for to get at what is under them; if there are more, the reader asks again further down. */
const DEAD_AT_MOST = 100;

/** How many records a row has, of the session that this process used last. Many are looked at by one instance only once. */
let usual = 1;

/** How many rows a look at a history takes, as far as looks before can tell. An error costs a page more, or rows too many. */
export class LogForecast {
  #recordsInRow: number | undefined;
  #hasRead = false;

  /**
   * @param wanted - how many records; 0 for the newest event alone
   * @param tried - the event that is looked for besides
   */
  rowsFor(wanted: number, tail: LogEvent | undefined, tried?: LogEvent): number {
    if (tried) return Math.max(this.rowsFor(wanted, tail), OVERTAKEN_ROWS);
    if (wanted === 0) return tail ? 1 : NEWEST_ROWS;
    const rows = Math.ceil(wanted / (this.#recordsInRow ?? usual));
    if (!tail) return Math.max(rows, FIRST_ROWS);
    const top = topOf(tail);
    const dead = tail.seq - top.seq;
    const likely = top.seq === 0 ? 1 : dead > DEAD_AT_MOST ? FIRST_ROWS : dead + rows;
    return wanted === 1 ? Math.max(likely, FIRST_ROWS) : likely;
  }

  learn(wanted: number, { stretches }: View): void {
    const found = stretches.reduce((sum, { keep }) => sum + keep, 0);
    // The last of many is more of a rule than the only one that a pop looks at.
    if (wanted <= 1 || found === 0) return;
    this.#hasRead = true;
    usual = this.#recordsInRow = Math.min(found, wanted) / stretches.length;
  }

  /** What was appended tells until something is read; the least, since a row too many costs less than a page more. */
  wrote(records: number): void {
    if (this.#hasRead || records === 0) return;
    usual = this.#recordsInRow = Math.min(this.#recordsInRow ?? records, records);
  }
}
