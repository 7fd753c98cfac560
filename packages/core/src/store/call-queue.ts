import type { Call } from './call.ts';

/** Lets the calls of one instance take effect one after another, in the order in which they were made (ORD-4). */
export class CallQueue {
  /** The call whose turn it is. */
  #current: Call | undefined;
  /**
   * Those that wait for their turn, first come first served, and how each is told. Of most instances, which serve one request,
   * there are none.
   */
  #waiting: Map<Call, () => void> | undefined;
  readonly #whenIdle: (() => void)[] = [];

  /** Resolves when it is the call's turn, at once if nobody is before it. Rejects if the call is given up before that. */
  enter(call: Call): Promise<void> | undefined {
    if (this.#current) {
      this.#waiting ??= new Map();
      const waiting = this.#waiting;
      return call.wait(new Promise<void>((turn) => waiting.set(call, turn)));
    }
    this.#current = call;
    return undefined;
  }

  /** Passes the turn on. Every call that entered leaves, whether or not its turn came. */
  leave(call: Call): void {
    // One that gave up just when its turn came has left the line, and holds the turn.
    if (this.#current === call) this.#next();
    else this.#waiting?.delete(call);
  }

  /** Gives up every call that has not settled. */
  giveUp(reason: () => unknown): void {
    this.#current?.giveUp(reason());
    for (const call of this.#waiting?.keys() ?? []) call.giveUp(reason());
  }

  /** Resolves when no call is under way. */
  async idle(): Promise<void> {
    if (this.#current) await new Promise<void>((idle) => this.#whenIdle.push(idle));
  }

  #next(): void {
    const [first] = this.#waiting ?? [];
    this.#current = first?.[0];
    if (first) {
      this.#waiting?.delete(first[0]);
      first[1]();
    } else {
      for (const idle of this.#whenIdle.splice(0)) idle();
    }
  }
}
