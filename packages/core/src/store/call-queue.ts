import type { Call } from './call.ts';

/** Lets the calls of one instance take effect one after another, in the order in which they were made (ORD-4). */
export class CallQueue {
  #tail: Promise<void> | undefined;
  readonly #calls = new Set<Call>();

  /** All calls that have not settled. */
  get calls(): Iterable<Call> {
    return this.#calls;
  }

  /** Runs `work` when every earlier call is through with its own, unless the call is given up before that. */
  async run<T>(call: Call, work: () => Promise<T>): Promise<T> {
    this.#calls.add(call);
    const before = this.#tail;
    const { promise: turn, resolve: next } = Promise.withResolvers<void>();
    this.#tail = turn;
    try {
      if (before) await call.wait(before);
      return await work();
    } finally {
      call.end();
      this.#calls.delete(call);
      if (this.#tail === turn) this.#tail = undefined;
      // Whoever gave up while waiting must not let later calls overtake those still before it.
      if (before) void before.then(next);
      else next();
    }
  }

  /** Resolves when every call made so far has settled. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
