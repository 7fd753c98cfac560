/**
 * Errors that nobody handles while something runs. A case that breaks off leaves calls behind, and an adapter may have
 * promises of its own that nobody holds, or a client whose `error` event nobody hears; none of that may end the process
 * that runs the kit.
 */
export class Strays implements Disposable {
  readonly #reasons = new Map<Promise<unknown>, unknown>();
  readonly #thrown: unknown[] = [];
  readonly #onStray = (reason: unknown, promise: Promise<unknown>): void =>
    void this.#reasons.set(promise, reason);
  readonly #onHandled = (promise: Promise<unknown>): void => void this.#reasons.delete(promise);

  readonly #onThrown = (error: unknown): void => void this.#thrown.push(error);

  constructor() {
    process.on('unhandledRejection', this.#onStray);
    process.on('rejectionHandled', this.#onHandled);
    process.on('uncaughtException', this.#onThrown);
  }

  /** What nobody has handled, once Node.js had a turn to say so. */
  async reasons(): Promise<unknown[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return [...this.#thrown, ...this.#reasons.values()];
  }

  [Symbol.dispose](): void {
    process.off('unhandledRejection', this.#onStray);
    process.off('rejectionHandled', this.#onHandled);
    process.off('uncaughtException', this.#onThrown);
  }
}
