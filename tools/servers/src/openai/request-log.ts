import type { Operation } from './faults.ts';

/** A request that came in, whatever became of it. */
export interface LoggedRequest {
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What became of it: `abandoned` is one whose client did not wait for the answer. */
  outcome: 'open' | 'answered' | 'abandoned';
}

/** All requests, the oldest first, to be counted and looked at. */
export class RequestLog {
  readonly #requests: LoggedRequest[] = [];

  add(request: LoggedRequest): void {
    this.#requests.push(request);
  }

  all(operation?: Operation): readonly LoggedRequest[] {
    return operation ? this.#requests.filter((one) => one.operation === operation) : [...this.#requests];
  }

  /** The operations, in the order in which they came in. */
  operations(): (Operation | undefined)[] {
    return this.#requests.map(({ operation }) => operation);
  }

  clear(): void {
    this.#requests.length = 0;
  }
}
