import type { Capabilities } from './adapter.ts';
import type { Bench } from './bench.ts';
import type { Clause } from './clauses.ts';

/** What a case cannot do without: a capability of the adapter's, the wire to its store, other processes. */
export type Need = keyof Capabilities | 'wire' | 'processes' | 'lifetimes';

/** One thing that a clause promises, tried on a real store. */
export interface ConformanceCase {
  readonly clause: Clause;
  /** What is promised, in the words of the clause. */
  readonly title: string;
  readonly needs: readonly Need[];
  /** Set for what only adapters without a capability are tried on. */
  readonly without?: keyof Capabilities | undefined;
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
