import { inAdapter, SessionError } from '../errors.ts';
import type { SessionCallOptions } from '../session.ts';
import { Call } from './call.ts';
import { CallQueue } from './call-queue.ts';

/**
 * The calls of one session: each with its time and its signal, one after another in the order in which they are made,
 * until the session is closed.
 */
export class Calls {
  readonly #adapter: string;
  readonly #timeoutMs: number;
  readonly #queue = new CallQueue();
  #closed = false;

  /**
   * @param adapter - whose name errors bear
   * @param timeoutMs - the time of each call
   */
  constructor(adapter: string, timeoutMs: number) {
    this.#adapter = adapter;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * One call of a method.
   *
   * @param prepare - runs before anything yields: it checks and copies the arguments, and returns the work, if there is any
   * @throws SessionError `CLOSED`, and what the two throw; the caller's own reason as it is
   */
  async make<T>(
    options: SessionCallOptions | undefined,
    prepare: () => ((call: Call) => Promise<T>) | undefined,
  ): Promise<T | undefined> {
    const signal = options?.signal;
    signal?.throwIfAborted();
    try {
      if (this.#closed) throw new SessionError('CLOSED');
      const work = prepare();
      // The arguments' own accessors may have run, and closed or aborted.
      if (this.#closed) throw new SessionError('CLOSED');
      signal?.throwIfAborted();
      if (!work) return undefined;
      const call = new Call(this.#timeoutMs, signal);
      try {
        const turn = this.#queue.enter(call);
        if (turn) await turn;
        return await work(call);
      } finally {
        call.end();
        this.#queue.leave(call);
      }
    } catch (error) {
      // The caller's own reason comes through as it is, a session's error too.
      throw signal?.aborted && error === signal.reason ? error : inAdapter(error, this.#adapter);
    }
  }

  /**
   * From now on every call rejects with `CLOSED`, and so do those that wait for their turn or for a read. Resolves when
   * none is under way.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.giveUp(() => new SessionError('CLOSED', { adapter: this.#adapter }));
    await this.#queue.idle();
  }
}
