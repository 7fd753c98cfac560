import { CASES } from '../cases.ts';
import { CLAUSES, type Clause } from '../clauses.ts';
import { isNoGap } from '../why-not.ts';
import type { CaseResult } from './report.ts';

/** What an adapter is good for, in four parts; none of them is above another. */
export type Level = 'core' | 'durable' | 'concurrent' | 'fault tolerant';

/** A level is a list of clauses. */
export interface LevelDefinition {
  readonly level: Level;
  /** In a few words, for a reader of the report. */
  readonly means: string;
  /** To reach the level, a case of each has to pass, and none may fail or be one that the store cannot stand. */
  readonly clauses: readonly Clause[];
  /** Must not fail, but need not apply: what an adapter may lack, saying so, or what not every store does. */
  readonly whereItApplies: readonly Clause[];
}

/** What is seen at the wire only, such as what a call costs. */
const AT_THE_WIRE: readonly Clause[] = ['GET-8', 'ADD-7', 'LIFE-3'];

/** The levels, and what each asks for. */
export const LEVELS: readonly LevelDefinition[] = [
  {
    level: 'core',
    means: 'one client reads, adds, pops and clears any items under any id, within limits, safely',
    clauses: ofGroups('ID', 'GET', 'ADD', 'POP', 'CLR', 'VAL', 'ISO', 'LIFE', 'SEC').filter(
      (clause) => !AT_THE_WIRE.includes(clause) && clause !== 'POP-2',
    ),
    whereItApplies: [...AT_THE_WIRE, ...ofGroups('TXN', 'RWR', 'RPL', 'CMP', 'TTL', 'CONV')],
  },
  {
    level: 'durable',
    means: 'another connection reads at once what was written; killed processes and a restart leave it whole',
    clauses: ['GET-2', 'GET-9', 'ADD-3', 'FLT-3', 'FLT-4'],
    whereItApplies: [],
  },
  {
    level: 'concurrent',
    means: 'what any number of clients do at once has one order, and nothing is lost or given twice',
    clauses: [...ofGroups('ORD'), 'POP-2'],
    whereItApplies: [],
  },
  {
    level: 'fault tolerant',
    means: 'lost replies, and a store that is away, hangs or comes back, do no harm and hold up nobody',
    clauses: ['FLT-1', 'FLT-2', 'FLT-4'],
    whereItApplies: ['FLT-5'],
  },
];

/** Whether a level was reached. */
export interface LevelVerdict {
  readonly level: Level;
  /** `not shown`: nothing speaks against it, but not all that it asks for was tried. */
  readonly status: 'reached' | 'failed' | 'not shown';
  /** Why it was not reached; of one that was, what could not be tried of it. */
  readonly reasons: readonly string[];
}

/** The verdict on each level. */
export function judge(results: readonly CaseResult[]): LevelVerdict[] {
  const isWhole = isWholeRun(results);
  return LEVELS.map((definition) => ({
    level: definition.level,
    ...verdictOn(definition, results, isWhole),
  }));
}

/** Whether all cases of the kit are among the results, however they ended. */
export function isWholeRun(results: readonly CaseResult[]): boolean {
  const name = ({ clause, title }: Pick<CaseResult, 'clause' | 'title'>) => `${clause} ${title}`;
  const names = new Set(results.map(name));
  return CASES.every((one) => names.has(name(one)));
}

function verdictOn(
  { clauses, whereItApplies }: LevelDefinition,
  results: readonly CaseResult[],
  isWhole: boolean,
): Omit<LevelVerdict, 'level'> {
  const of = (status: CaseResult['status'], among: readonly Clause[]) =>
    results.filter((result) => result.status === status && among.includes(result.clause));
  const all = [...clauses, ...whereItApplies];
  const failed = of('failed', all);
  if (failed.length > 0) return { status: 'failed', reasons: [`${namesOf(failed)} failed.`] };
  if (!isWhole) {
    const reason = results.length > 0 ? 'Only some of the cases of the kit were run.' : 'No case was run.';
    return { status: 'not shown', reasons: [reason] };
  }
  const broken = of('kit error', all);
  if (broken.length > 0)
    return { status: 'not shown', reasons: [`The kit itself failed in ${namesOf(broken)}.`] };
  const passed = new Set(of('passed', clauses).map(({ clause }) => clause));
  const gaps = of('not applicable', all).filter(({ reason }) => !isNoGap(reason));
  const missing = gaps.filter(
    ({ clause, isStores }) => clauses.includes(clause) && (isStores || !passed.has(clause)),
  );
  if (missing.length > 0) return { status: 'not shown', reasons: reasonsOf(missing) };
  return { status: 'reached', reasons: reasonsOf(gaps) };
}

function ofGroups(...groups: string[]): Clause[] {
  return CLAUSES.filter((clause) => groups.includes(clause.split('-')[0]!));
}

function namesOf(results: readonly CaseResult[]): string {
  return [...new Set(results.map(({ clause }) => clause))].join(', ');
}

function reasonsOf(results: readonly CaseResult[]): string[] {
  return [...new Set(results.map(({ reason }) => reason ?? ''))];
}
