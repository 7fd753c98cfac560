import { SessionError } from '../errors.ts';
import type { StoreCall } from '../store/history-store.ts';
import type { EventLog, LogErasure, LogRange, LogRow } from './event-log.ts';
import { eventKey, eventOf, LAST_EVENT, type LogEvent } from './log-event.ts';

/** The rows of a log for one call. Once the call's time is up, nothing is sent any more. */
export class LogRows {
  readonly #log: EventLog;
  readonly #call: StoreCall;
  /** When its own time is up, by the clock that never goes back. */
  readonly #until: number;

  constructor(log: EventLog, call: StoreCall, until = Number.POSITIVE_INFINITY) {
    this.#log = log;
    this.#call = call;
    this.#until = until;
  }

  /** The same rows, for no longer than so many milliseconds. */
  within(ms: number): LogRows {
    return new LogRows(this.#log, this.#call, performance.now() + ms);
  }

  scan(range: LogRange): AsyncIterable<LogRow> {
    this.checkTime();
    return this.#log.scan(range, this.#call);
  }

  async put(row: LogRow): Promise<boolean> {
    this.checkTime();
    return this.#log.put(row, this.#call);
  }

  async erase(erasures: readonly LogErasure[]): Promise<void> {
    if (erasures.length === 0) return;
    this.checkTime();
    await this.#log.erase(erasures, this.#call);
  }

  async row(key: string): Promise<LogRow | undefined> {
    for await (const row of this.scan({ first: key, last: key, expected: 1 })) return row;
    return undefined;
  }

  async event(seq: number): Promise<LogEvent | undefined> {
    const row = await this.row(eventKey(seq));
    return row && eventOf(row);
  }

  /** The seq of the newest event; 0 if there is none. */
  async newest(): Promise<number> {
    const events = { first: eventKey(1), last: LAST_EVENT, newestFirst: true, expected: 1, heads: true };
    for await (const row of this.scan(events)) return eventOf(row).seq;
    return 0;
  }

  /** @throws SessionError `UNAVAILABLE` if nothing may be sent any more */
  checkTime(): void {
    if (this.#call.signal.aborted || performance.now() > this.#until) throw new SessionError('UNAVAILABLE');
  }
}
