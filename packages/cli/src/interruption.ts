import { Failure } from './failure.ts';

/** Gives up at the first signal. The second one ends the process, as if nobody listened. */
export class Interruption implements Disposable {
  readonly #controller = new AbortController();
  readonly #onSigint = () => this.#giveUp(130);
  readonly #onSigterm = () => this.#giveUp(143);
  readonly signal = this.#controller.signal;

  constructor() {
    process.once('SIGINT', this.#onSigint);
    process.once('SIGTERM', this.#onSigterm);
  }

  #giveUp(exitCode: number): void {
    const message = 'Given up. A write that was under way is done as a whole or not at all.';
    this.#controller.abort(new Failure('INTERRUPTED', message, exitCode));
  }

  /** Stops listening. */
  [Symbol.dispose](): void {
    process.off('SIGINT', this.#onSigint);
    process.off('SIGTERM', this.#onSigterm);
  }
}
