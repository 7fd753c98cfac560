import type { ConformanceCase } from './case.ts';
import { allCases } from './cases.ts';
import type { Clause } from './clauses.ts';
import { historyCases } from './histories/history-cases.ts';

/** Which cases to run, and what the generated ones among them make. */
export interface CaseSelection {
  /** Only the cases of these clauses. All by default. */
  readonly clauses?: readonly Clause[] | undefined;
  /** Only the case with exactly this title. */
  readonly title?: string | undefined;
  /** Of everything that is generated, histories and races: the same seed gives the same. Another one each time by default. */
  readonly seed?: number | undefined;
  /** With the seed of its failure: one generated history, as that failure names it. */
  readonly path?: string | undefined;
  /** Many more and longer histories and races: minutes instead of seconds. `false` by default. */
  readonly soak?: boolean | undefined;
}

/**
 * The cases of the kit that are asked for, in the order of the contract.
 *
 * @throws Error when there is none, or when what is asked for makes no sense; its message is one line for the user
 */
export function selectCases(selection: CaseSelection = {}): ConformanceCase[] {
  const { clauses, title, seed, path, soak } = selection;
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new Error(`A seed is a whole number, not ${seed}.`);
  if (path !== undefined && seed === undefined)
    throw new Error('A path is of a seed; take both from the failure.');
  const all = path === undefined ? allCases({ seed, soak }) : historyCases({ seed, path, soak });
  const selected = all.filter((one) => {
    return (
      (clauses === undefined || clauses.includes(one.clause)) && (title === undefined || one.title === title)
    );
  });
  if (selected.length > 0) return selected;
  const wanted = [
    clauses && `of ${clauses.join(', ')}`,
    title !== undefined && `with the title ${JSON.stringify(title)}`,
  ];
  throw new Error(`The kit has no case ${wanted.filter(Boolean).join(' ')}.`);
}
