/** The endpoints, by the names that faults and the request log have for them. */
export type Operation =
  | 'conversations.create'
  | 'conversations.retrieve'
  | 'conversations.update'
  | 'conversations.delete'
  | 'items.create'
  | 'items.list'
  | 'items.retrieve'
  | 'items.delete'
  | 'responses.create'
  | 'responses.retrieve'
  | 'responses.compact';

/** What goes wrong with one request. */
export type Fault =
  /** Refused with this status (500 by default); nothing is done. */
  | { readonly kind: 'fail'; readonly status?: number }
  /** 429, with the seconds to wait. */
  | { readonly kind: 'rate limit'; readonly retryAfter: number }
  /** Never answered; nothing is done. */
  | { readonly kind: 'hang' }
  /** Done, but never answered. */
  | { readonly kind: 'hang after' }
  /** The connection is cut; nothing is done. */
  | { readonly kind: 'cut' }
  /** Done, but the connection is cut in the place of an answer. */
  | { readonly kind: 'lose reply' }
  /** Done, but answered otherwise. */
  | { readonly kind: 'alter'; readonly change: (answer: Record<string, unknown>) => unknown }
  /** Something happens first, such as a change by somebody else; then all goes on as ever. */
  | { readonly kind: 'meanwhile'; readonly run: () => unknown };

interface Ordered {
  readonly operation: Operation;
  readonly fault: Fault;
  skip: number;
}

/** Faults that were ordered, each for one request. */
export class Faults {
  readonly #ordered: Ordered[] = [];

  /**
   * Orders a fault for the next request of an operation.
   *
   * @param skip - how many requests of that operation are left alone first
   */
  order(operation: Operation, fault: Fault, { skip = 0 }: { skip?: number } = {}): void {
    this.#ordered.push({ operation, fault, skip });
  }

  /** Takes back what has not happened. */
  clear(): void {
    this.#ordered.length = 0;
  }

  /** The fault of this request, if there is one. */
  take(operation: Operation): Fault | undefined {
    const [first, ...later] = this.#ordered.filter((one) => one.operation === operation);
    if (!first) return undefined;
    if (first.skip > 0) {
      for (const one of [first, ...later]) if (one.skip > 0) one.skip--;
      return undefined;
    }
    this.#ordered.splice(this.#ordered.indexOf(first), 1);
    return first.fault;
  }
}
