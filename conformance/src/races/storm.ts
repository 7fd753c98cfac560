import type { FaultProxy } from '../fault-proxy.ts';
import type { Random } from './random.ts';

/** How often a call is met by a fault. */
const FAULT_CHANCE = 0.12;

/** How many of the faults may be long ones, which take a race longer than its calls do. */
const LONG_FAULTS = 3;

/** Breaks the wire before a store again and again, by chance, while calls are made. */
export class Storm {
  readonly #proxy: FaultProxy;
  readonly #random: Random;
  readonly #longMs: number;
  #longLeft = LONG_FAULTS;
  #under: Promise<void> | undefined;
  #isOver = false;
  /** How many faults happened. */
  count = 0;

  /** @param longMs - how long the store is away in a long fault: more than a call has time */
  constructor(proxy: FaultProxy, random: Random, longMs: number) {
    this.#proxy = proxy;
    this.#random = random;
    this.#longMs = longMs;
  }

  /** Lets the next fault come, perhaps, unless one is under way. */
  blow(): void {
    if (this.#under || this.#isOver || !this.#random.chance(FAULT_CHANCE)) return;
    this.#under = this.#fault().finally(() => {
      this.count++;
      this.#under = undefined;
    });
  }

  /** Nothing new comes, and all passes again. A fault that waits for something to pass is left to wait. */
  end(): void {
    this.#isOver = true;
    this.#proxy.pass();
  }

  async #fault(): Promise<void> {
    const isLong = this.#longLeft > 0 && this.#random.chance(0.25);
    if (isLong) {
      this.#longLeft--;
      await this.#long();
    } else await this.#short();
  }

  #short(): Promise<void> {
    switch (this.#random.below(4)) {
      case 0:
        return this.#proxy.loseNextRequest();
      case 1:
        return this.#proxy.cutNextRequest();
      case 2:
        this.#proxy.drop();
        return Promise.resolve();
      default:
        return this.#proxy.loseNextReply(this.#random.below(3));
    }
  }

  async #long(): Promise<void> {
    if (this.#random.chance(0.5)) {
      // What was sent waits on the way, and arrives when its callers were told that nobody knows.
      this.#proxy.hang();
    } else {
      await this.#proxy.loseNextReply();
      this.#proxy.refuse();
    }
    await new Promise((resolve) => setTimeout(resolve, this.#longMs));
    this.#proxy.pass();
  }
}
