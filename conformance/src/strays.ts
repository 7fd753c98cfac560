/**
 * Rejections that nobody handles while something runs. A case that breaks off leaves calls behind, and an adapter may
 * have promises of its own that nobody holds; neither may end the process that runs the kit.
 */
export class Strays implements Disposable {
  readonly #reasons = new Map<Promise<unknown>, unknown>();
  readonly #onStray = (reason: unknown, promise: Promise<unknown>): void =>
    void this.#reasons.set(promise, reason);
  readonly #onHandled = (promise: Promise<unknown>): void => void this.#reasons.delete(promise);

  constructor() {
    process.on('unhandledRejection', this.#onStray);
    process.on('rejectionHandled', this.#onHandled);
  }

  /** The reasons of those that are unhandled still, once Node.js had a turn to say so. */
  async reasons(): Promise<unknown[]> {
    await new Promise((resolve) => setImmediate(resolve));
    return [...this.#reasons.values()];
  }

  [Symbol.dispose](): void {
    process.off('unhandledRejection', this.#onStray);
    process.off('rejectionHandled', this.#onHandled);
  }
}
