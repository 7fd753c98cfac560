import type { Backdoor, Capabilities } from './adapter.ts';
import type { Bench } from './bench.ts';
import type { Clause } from './clauses.ts';

/** What a case cannot do without: a capability of the adapter's, or a way for the kit to get at its store. */
export type Need =
  | keyof Capabilities
  | keyof Backdoor
  | 'wire'
  | 'openWithoutResending'
  | 'processes'
  | 'namespaces'
  | 'closing'
  | 'compaction'
  | 'conversations';

/** One thing that a clause promises, tried on a real store. */
export interface ConformanceCase {
  readonly clause: Clause;
  /** What is promised, in the words of the clause. */
  readonly title: string;
  readonly needs: readonly Need[];
  /** Set for what only adapters without a capability are tried on. */
  readonly without?: keyof Capabilities | 'compaction' | undefined;
  /** Of what the case generates, if the kit chooses how much that is. */
  readonly seed?: number | undefined;
  /** Whether it generates as much as a soak is to. */
  readonly soak?: boolean | undefined;
  /** The longest it may take, in milliseconds, where that is more than other cases may. */
  readonly timeoutMs?: number | undefined;
  /** What it does, as code, where that is not the code of `run`. */
  readonly steps?: string | undefined;
  run(bench: Bench): Promise<void>;
}

/** One case, which anyone can be tried on who has what it needs. */
export function promise(
  clause: Clause,
  title: string,
  run: (bench: Bench) => Promise<void>,
  ...needs: Need[]
): ConformanceCase {
  return { clause, title, needs, run };
}
