import { SessionError } from '../errors.ts';
import { Deadlines } from './deadlines.ts';
import type { StoreCall } from './history-store.ts';

/** What a call is waiting for at the moment. */
interface Waiter {
  /** Whether the wait also ends when the call is given up, by its signal or because the session was closed. */
  readonly mayLeave: boolean;
  /** What is known if the time ends it. */
  readonly onTimeUp: 'UNAVAILABLE' | 'OUTCOME_UNKNOWN';
  reject(error: unknown): void;
}

/**
 * One call of a session's method: its time, its signal, and what it is waiting for.
 *
 * The time counts from the call, the wait in the queue included, so that nothing waits longer than it was told to
 * (FLT-2).
 */
export class Call implements StoreCall {
  readonly #deadlines: Deadlines;
  readonly #userSignal: AbortSignal | undefined;
  readonly #onAbort: (() => void) | undefined;
  #timeUp: AbortController | undefined;
  #isTimeUp = false;
  #givenUp: { readonly reason: unknown } | undefined;
  #waiter: Waiter | undefined;

  constructor(timeoutMs: number, userSignal: AbortSignal | undefined) {
    if (userSignal) {
      this.#userSignal = userSignal;
      this.#onAbort = () => this.giveUp(userSignal.reason);
      userSignal.addEventListener('abort', this.#onAbort);
    }
    this.#deadlines = Deadlines.in(timeoutMs);
    this.#deadlines.add(this);
  }

  /** Fires when the time is up. Made when a store asks for it, since most calls are over before anyone does. */
  get signal(): AbortSignal {
    this.#timeUp ??= new AbortController();
    if (this.#isTimeUp) this.#timeUp.abort();
    return this.#timeUp.signal;
  }

  get isTimeUp(): boolean {
    return this.#isTimeUp;
  }

  /** Why the call was given up, if it was. */
  get givenUp(): { readonly reason: unknown } | undefined {
    return this.#givenUp;
  }

  /** Ends each wait that may be left, the present one and those to come. */
  giveUp(reason: unknown): void {
    this.#givenUp ??= { reason };
    if (this.#waiter?.mayLeave) this.#waiter.reject(reason);
  }

  /** Waits for what may be left: nothing is half done by that. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return this.#wait(work, true, 'UNAVAILABLE');
  }

  /** Waits for a write under way, which only the time can end (LIFE-4). */
  settle<T>(work: PromiseLike<T>): Promise<T> {
    return this.#wait(work, false, 'OUTCOME_UNKNOWN');
  }

  /** The call is over; nothing more is waited for, and a read that was given up need not come to its end. */
  end(): void {
    this.#deadlines.delete(this);
    if (this.#onAbort) this.#userSignal?.removeEventListener('abort', this.#onAbort);
    this.#waiter = undefined;
    if (this.#givenUp) this.endTime();
  }

  #wait<T>(work: PromiseLike<T>, mayLeave: boolean, onTimeUp: Waiter['onTimeUp']): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiter = { mayLeave, onTimeUp, reject };
      work.then(resolve, reject);
      if (mayLeave && this.#givenUp) reject(this.#givenUp.reason);
      if (this.#isTimeUp) this.#endWait();
    });
  }

  /** The time is up. */
  endTime(): void {
    this.#isTimeUp = true;
    this.#timeUp?.abort();
    this.#endWait();
  }

  /** A store that has sent nothing knows more than "unknown"; it is given a turn to say so. */
  #endWait(): void {
    setTimeout(() => this.#waiter?.reject(new SessionError(this.#waiter.onTimeUp)));
  }
}
