/** How many writes may follow each other without a pause, before others have a turn. */
const IN_A_ROW_AT_MOST = 8;

/** How long a turn is, in writes: they need one to look and one to write. */
const TURN = 2;

/** The longest wait, in milliseconds, however long a write takes. */
const LONGEST_WAIT_MS = 100;

/** How often a change is overtaken before it makes way to others. */
const OVERTAKEN_AT_MOST = 2;

/** How often a change is overtaken before it waits less each time, so that whoever came first goes first. */
const OVERTAKEN_OFTEN = 7;

/**
 * Says who waits where many write at once. Whoever wrote last knows the newest event, and those who have to look first
 * would always be late: so it leaves them a turn now and then.
 */
export class Turns {
  #inARow = 0;
  #endedAt = 0;
  #tookMs = 0;

  /**
   * Comes before each try of a change.
   *
   * @param overtaken - how many tries there were before
   * @param signal - ends the wait
   */
  async wait(overtaken: number, signal: AbortSignal): Promise<void> {
    // Of many one is first, and what the others sent was for nothing: the more often, the fewer should try.
    if (overtaken > OVERTAKEN_AT_MOST)
      await sleep(Math.random() * 2 ** Math.min(overtaken, 2 * OVERTAKEN_OFTEN - overtaken), signal);
    if (overtaken > 0) return;
    const turnMs = TURN * this.#tookMs;
    if (performance.now() - this.#endedAt > turnMs) this.#inARow = 0;
    if (this.#inARow++ < IN_A_ROW_AT_MOST) return;
    this.#inARow = 1;
    await sleep(turnMs, signal);
  }

  /** Makes a write, and sees how long that takes. */
  async time<T>(write: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await write();
    } finally {
      this.#endedAt = performance.now();
      this.#tookMs = this.#endedAt - began;
    }
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_WAIT_MS));
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
