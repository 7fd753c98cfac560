import type { FaultProxy } from '../fault-proxy.ts';
import type { Random } from './random.ts';

/** How often a call is met by a fault. */
const FAULT_CHANCE = 0.12;

/** How many of the faults may be long ones, which take a race longer than its calls do. */
const LONG_FAULTS = 3;

const SLOW_MS = 40;

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
    switch (this.#random.below(6)) {
      case 0:
        return this.#proxy.loseNextRequest();
      case 1:
        return this.#proxy.cutNextRequest();
      case 2:
        this.#proxy.drop();
        return Promise.resolve();
      case 3:
        return this.#proxy.cutNextReply(this.#random.below(3));
      case 4:
        return this.#slow();
      default:
        return this.#proxy.loseNextReply(this.#random.below(3));
    }
  }

  /** Everything takes longer for a moment. */
  async #slow(): Promise<void> {
    this.#proxy.delay(1 + this.#random.below(SLOW_MS));
    await sleep(SLOW_MS);
    this.#proxy.pass();
  }

  async #long(): Promise<void> {
    // What waits on the way arrives when its callers were told that nobody knows.
    switch (this.#random.below(4)) {
      case 0:
        this.#proxy.hang();
        break;
      case 1:
        await this.#proxy.holdNextReply();
        break;
      default:
        await this.#proxy.loseNextReply();
        this.#proxy.refuse();
    }
    await sleep(this.#longMs);
    this.#proxy.pass();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
