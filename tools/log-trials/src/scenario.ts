import type { Call } from '@sessions/conformance';

/** What may go wrong in a run, and how often in all. */
export interface Faults {
  /** A step is refused: nothing is written, and the client knows it. */
  readonly fail?: number;
  /** A step is taken, and its reply is lost. */
  readonly lose?: number;
  /** A write is taken, its reply is lost, and the driver sends it once more and gives that reply. */
  readonly resend?: number;
  /** A write is sent, its reply is lost, and it is taken at any time later, or never. */
  readonly delay?: number;
  /** A client is gone for good. */
  readonly crash?: number;
  /** A client does not try again what failed, and goes on with its next call. */
  readonly giveUp?: number;
  /** A call ends while a step of it is under way, whose answer may come at any time later. */
  readonly leave?: number;
  /** A due row is removed by the store. */
  readonly remove?: number;
}

/** What clients do, one after the other or at once. */
export interface Scenario {
  readonly name: string;
  /** What was done before, one call after the other and undisturbed, by a client of the race or another one. */
  readonly before?: readonly (readonly [client: string, call: Call] | Passing)[];
  /** The calls of each client, which it makes in turn, at once with those of the others. */
  readonly clients: Readonly<Record<string, readonly (Call | Passing)[]>>;
  readonly faults?: Faults;
  /** How many rows a store reads in one instant. 1 by default. */
  readonly pageRows?: number;
  /** Whether it finds the keys first, and reads the rows then. */
  readonly throughIndex?: boolean;
  readonly maxRowBytes?: number;
  /** Until when a session lives after each write. For ever, if left out. */
  readonly ttlMs?: number | undefined;
  readonly refreshTtlOnRead?: boolean;
  /** What passes between the race and the last look. */
  readonly after?: readonly Passing[];
  /** The `ttlMs` of clients that have another one, or none. */
  readonly ttlMsOf?: Readonly<Record<string, number | undefined>>;
  /** Whether no row is left after that, if nothing went wrong. */
  readonly leavesNothing?: boolean;
}

/** Time that passes. */
export interface Passing {
  readonly kind: 'pass';
  readonly ms: number;
  /** Whether what was written before is over then (TTL-2). */
  readonly isEnd?: boolean;
  /** Whether the store removes all rows that are due. */
  readonly removes?: boolean;
  /** Whether the machine sleeps meanwhile, and its monotonic clock with it. */
  readonly asleep?: boolean;
}
