import type { Contender } from '../contender.ts';

/** A server, and all that keeps conversations in it. */
export interface Store {
  readonly title: string;
  /** What runs, with its version. */
  readonly server: string;
  /** The server reads whatever a condition finds, and only then looks at the limit: what that costs is its own. */
  readonly readsWholeRanges?: boolean | undefined;
  /** Items are in this process's memory. */
  readonly isInProcess?: boolean | undefined;
  readonly ours: Contender;
  /** The bare driver, with the least that does the work. */
  readonly raw?: Contender | undefined;
  /** What a user would pick instead. */
  readonly peers: readonly Contender[];
  close(): Promise<void>;
}
