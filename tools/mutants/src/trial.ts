import {
  CASES,
  type CaseResult,
  type ConformanceAdapter,
  type ConformanceCase,
  runCase,
} from '@sessions/conformance';
import { MemoryHistory } from '../../../packages/memory/src/memory-history.ts';
import { RedisStore } from '../../../packages/redis/src/redis-store.ts';
import type { Mutant } from './mutant.ts';
import { type AnyStore, mutate, mutateStores } from './mutate.ts';
import { mutateScript } from './mutate-redis.ts';

/** A mutant that hangs should not hold up the others as long as the kit would let it; enough for a right adapter. */
const TIMEOUT_MS = 15_000;

/** How it ended for a mutant: well only if a case of its own clause found it. */
export type Verdict =
  | { readonly outcome: 'killed' | 'killed by another clause'; readonly by: CaseResult }
  | { readonly outcome: 'survived' };

const STORES: Readonly<Record<Mutant['over'], AnyStore>> = {
  memory: MemoryHistory.prototype,
  redis: RedisStore.prototype,
  compaction: MemoryHistory.prototype,
  conversations: MemoryHistory.prototype,
};

/** Tries the cases of the mutant's own clause on it; if it lives, all others too, to say what does find it. */
export async function tryMutant(adapter: ConformanceAdapter, mutant: Mutant): Promise<Verdict> {
  const isOwn = ({ clause }: ConformanceCase) => clause === mutant.clause;
  const own = await firstOf(['failed'], adapter, mutant, CASES.filter(isOwn));
  if (own) return { outcome: 'killed', by: own };
  const others = CASES.filter((tried) => !isOwn(tried));
  const other = await firstOf(['failed'], adapter, mutant, others);
  return other ? { outcome: 'killed by another clause', by: other } : { outcome: 'survived' };
}

/**
 * Tries cases on the right adapter, built as the mutants are but with nothing wrong: what fails on it proves nothing of
 * them.
 */
export function tryControl(
  adapter: ConformanceAdapter,
  over: Mutant['over'],
  cases: readonly ConformanceCase[],
): Promise<CaseResult | undefined> {
  return firstOf(['failed', 'kit error', 'not applicable'], adapter, { over }, cases);
}

/** The first of the results that are looked for. */
async function firstOf(
  wanted: readonly CaseResult['status'][],
  right: ConformanceAdapter,
  mutant: Partial<Mutant> & Pick<Mutant, 'over'>,
  cases: readonly ConformanceCase[],
): Promise<CaseResult | undefined> {
  using _stores = mutateStores(STORES[mutant.over], mutant.store);
  using _script = mutateScript(mutant.script);
  const adapter = mutate(right, mutant);
  for (const tried of cases) {
    const result = await runCase(adapter, tried, TIMEOUT_MS);
    if (wanted.includes(result.status)) return result;
  }
  return undefined;
}
