/** The user, or the system, wants the process to end. */
export class Interrupted extends Error {}

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

type EndingSignal = keyof typeof EXIT_CODES;

/** The first SIGINT or SIGTERM ends a run in good order. The next one ends the process, as it always does. */
export class Interruption implements Disposable {
  /** What the process is to end with, once it was interrupted. */
  exitCode: number | undefined;
  readonly #happens: Promise<never>;
  #happen!: (reason: Interrupted) => void;

  constructor() {
    this.#happens = new Promise((_, reject) => {
      this.#happen = reject;
    });
    this.#happens.catch(() => undefined);
    for (const signal of Object.keys(EXIT_CODES)) process.once(signal, this.#onSignal);
  }

  /**
   * What the work comes to.
   *
   * @throws Interrupted as soon as that happens; the work goes on
   */
  orElse<T>(work: Promise<T>): Promise<T> {
    return Promise.race([this.#happens, work]);
  }

  [Symbol.dispose](): void {
    for (const signal of Object.keys(EXIT_CODES)) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: EndingSignal): void => {
    this[Symbol.dispose]();
    this.exitCode = EXIT_CODES[signal];
    this.#happen(new Interrupted(signal));
  };
}
