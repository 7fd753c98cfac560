/**
 * How many writes may follow each other without a look. Whoever made the last knows the newest event, and those who have to
 * look would always be late.
 */
const IN_A_ROW_AT_MOST = 8;

/** How long others then have, in writes: they need one to look and one to write. */
const TURN = 2;

/** The longest wait, in milliseconds, however long a write takes. */
const LONGEST_WAIT_MS = 100;

/** How often a change is overtaken before it makes way to others. */
const OVERTAKEN_AT_MOST = 2;

/** How often a change is overtaken before it waits less each time, so that whoever came first goes first. */
const OVERTAKEN_OFTEN = 7;

/** Lets others write where one writes without a pause. */
export class Turns {
  #inARow = 0;
  #endedAt = 0;
  #tookMs = 0;

  /** Comes before a write that looks at nothing. Waits if there were many without a pause. */
  async leave(): Promise<void> {
    const hadTurn = performance.now() - this.#endedAt > TURN * this.#tookMs;
    this.#inARow = hadTurn ? 0 : this.#inARow;
    if (this.#inARow++ < IN_A_ROW_AT_MOST) return;
    this.#inARow = 1;
    await wait(TURN * this.#tookMs);
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

/** Of many who write at once one is first, and what the others sent was for nothing: the more often, the fewer should try. */
export async function makeWay(overtaken: number): Promise<void> {
  if (overtaken <= OVERTAKEN_AT_MOST) return;
  await wait(Math.random() * 2 ** Math.min(overtaken, 2 * OVERTAKEN_OFTEN - overtaken));
}

function wait(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, Math.min(ms, LONGEST_WAIT_MS)));
}
