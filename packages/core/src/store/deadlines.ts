/** What has a deadline. */
interface Timed {
  endTime(): void;
}

/** How late a timer may be on a busy machine, in milliseconds, before it is taken for lost. */
const LATEST_MS = 1_000;

/** For each length of time, in milliseconds, those whose time it is. */
const running = new Map<number, Deadlines>();

/**
 * All that is under way with one and the same length of time, on one timer: to start and to stop a timer for each call
 * costs more than all else that is done for its time.
 */
export class Deadlines {
  readonly #ms: number;
  /** Oldest first, which is also the order in which their time is up; with each the moment. */
  readonly #moments = new Map<Timed, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The moment at which the timer looks again. */
  #due = 0;

  private constructor(ms: number) {
    this.#ms = ms;
  }

  /** Those that end so many milliseconds after they were added. */
  static in(ms: number): Deadlines {
    let deadlines = running.get(ms);
    if (!deadlines) {
      deadlines = new Deadlines(ms);
      running.set(ms, deadlines);
    }
    return deadlines;
  }

  add(timed: Timed): void {
    const now = performance.now();
    this.#moments.set(timed, now + this.#ms);
    // Some platforms end a timer with the request that it was started in, and so do tests that replace the clock.
    const isLost = now > this.#due + LATEST_MS;
    if (this.#timer === undefined || isLost) this.#wait(now, this.#ms);
    else if (this.#moments.size === 1) keepAlive(this.#timer, true);
  }

  delete(timed: Timed): void {
    this.#moments.delete(timed);
    // What is over must not keep the process.
    if (this.#moments.size === 0) keepAlive(this.#timer, false);
  }

  #wait(now: number, ms: number): void {
    clearTimeout(this.#timer);
    this.#due = now + ms;
    this.#timer = setTimeout(() => this.#look(), ms);
  }

  #look(): void {
    const now = performance.now();
    for (const [timed, moment] of this.#moments) {
      if (moment > now) {
        this.#wait(now, Math.ceil(moment - now));
        return;
      }
      this.#moments.delete(timed);
      timed.endTime();
    }
    this.#timer = undefined;
    running.delete(this.#ms);
  }
}

/** Where a timer is a number, no process waits for it. */
function keepAlive(timer: unknown, alive: boolean): void {
  const { ref, unref } = (timer ?? {}) as Partial<Record<'ref' | 'unref', () => void>>;
  (alive ? ref : unref)?.call(timer);
}
