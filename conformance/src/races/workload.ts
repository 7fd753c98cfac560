import type { Call, TransactionCall } from './operation.ts';
import type { Random } from './random.ts';

/** How often each kind of call is made, of a hundred. */
const OFTEN: readonly (readonly [kind: Call['kind'], share: number])[] = [
  ['add', 30],
  ['read', 34],
  ['pop', 20],
  ['append', 8],
  ['replace', 5],
  ['clear', 3],
];

/** How often a suffix is replaced right after it was read, when it is most likely to be there still. */
const REPLACED_AT_ONCE = 0.25;

/** How many of the latest transactions are made again now and then, by whoever it may be. */
const LATEST = 4;

/** What one client asks for, call after call. The same seed gives the same calls, but for what hangs on answers. */
export class Workload {
  readonly #client: string;
  readonly #random: Random;
  readonly #transactions: TransactionCall[] | undefined;
  #items = 0;
  #lastRead: readonly string[] = [];
  #hasJustRead = false;

  /** @param transactions - those of all clients, in the order they were made; none for a store that has none */
  constructor(client: string, random: Random, transactions: TransactionCall[] | undefined) {
    this.#client = client;
    this.#random = random;
    this.#transactions = transactions;
  }

  /** Learns what a suffix may be. */
  saw(items: readonly string[]): void {
    this.#lastRead = items;
    this.#hasJustRead = true;
  }

  next(): Call {
    const kind = this.#kind();
    switch (kind) {
      case 'add':
        return { kind, items: this.#fresh(1 + this.#random.below(3)) };
      case 'read':
        return this.#random.chance(0.4) ? { kind, limit: 1 + this.#random.below(4) } : { kind };
      case 'append':
      case 'replace':
        return this.#transaction(kind, this.#transactions!);
      default:
        return { kind };
    }
  }

  #kind(): Call['kind'] {
    const hasJustRead = this.#hasJustRead;
    this.#hasJustRead = false;
    if (this.#transactions && hasJustRead && this.#random.chance(REPLACED_AT_ONCE)) return 'replace';
    let left = this.#random.below(100);
    for (const [kind, share] of OFTEN) {
      left -= share;
      if (left >= 0) continue;
      const isPossible = this.#transactions || !(kind === 'append' || kind === 'replace');
      return isPossible ? kind : 'add';
    }
    return 'read';
  }

  #transaction(kind: TransactionCall['kind'], all: TransactionCall[]): TransactionCall {
    if (all.length > 0 && this.#random.chance(0.2)) return this.#random.pick(all.slice(-LATEST));
    const operationId = `${this.#client}-${all.length}`;
    const items = this.#fresh(this.#random.below(3));
    const expected = this.#lastRead.slice(-1 - this.#random.below(2));
    const made: TransactionCall =
      kind === 'append' || expected.length === 0
        ? { kind: 'append', operationId, items }
        : { kind: 'replace', operationId, expected, replacement: items };
    all.push(made);
    return made;
  }

  #fresh(count: number): string[] {
    return Array.from({ length: count }, () => `${this.#client}${this.#items++}`);
  }
}
