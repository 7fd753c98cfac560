import {
  CASE_TIMEOUT_MS,
  CASES,
  type CaseResult,
  type ConformanceAdapter,
  type ConformanceCase,
  runCase,
} from '@sessions/conformance';
import type { HistoryStore } from '@sessions/core/store';
import { MemoryHistory } from '../../../packages/memory/src/memory-history.ts';
import { RedisStore } from '../../../packages/redis/src/redis-store.ts';
import type { Mutant } from './mutant.ts';
import { mutate, mutateStores } from './mutate.ts';
import { mutateRedis } from './mutate-redis.ts';

/** Mutants that hang should not hold up the others as long as the kit would let them. */
const MUTANT_TIMEOUT_MS = 15_000;

/** How it ended for a mutant: well only if a case of its own clause found it. */
export type Verdict =
  | { readonly outcome: 'killed' | 'killed by another clause'; readonly by: CaseResult }
  | { readonly outcome: 'survived' };

const STORES: Readonly<Record<Mutant['over'], HistoryStore>> = {
  memory: MemoryHistory.prototype,
  redis: RedisStore.prototype,
};

/** Tries the cases of the mutant's own clause on it; if it lives, all others too, to say what does find it. */
export async function tryMutant(adapter: ConformanceAdapter, mutant: Mutant): Promise<Verdict> {
  const isOwn = ({ clause }: ConformanceCase) => clause === mutant.clause;
  const own = await tryOn(adapter, mutant, CASES.filter(isOwn), MUTANT_TIMEOUT_MS);
  if (own) return { outcome: 'killed', by: own };
  const others = CASES.filter((tried) => !isOwn(tried));
  const other = await tryOn(adapter, mutant, others, MUTANT_TIMEOUT_MS);
  return other ? { outcome: 'killed by another clause', by: other } : { outcome: 'survived' };
}

/** The right adapter, built as the mutants are but with nothing wrong: what fails on it proves nothing of them. */
export function tryControl(
  adapter: ConformanceAdapter,
  control: Pick<Mutant, 'over' | 'resends'>,
  cases: readonly ConformanceCase[],
): Promise<CaseResult | undefined> {
  return tryOn(adapter, control, cases, CASE_TIMEOUT_MS);
}

/** The first failure. */
async function tryOn(
  right: ConformanceAdapter,
  mutant: Partial<Mutant> & Pick<Mutant, 'over'>,
  cases: readonly ConformanceCase[],
  timeoutMs: number,
): Promise<CaseResult | undefined> {
  using _stores = mutateStores(STORES[mutant.over], mutant.store);
  using _redis = mutateRedis(mutant);
  const adapter = mutate(right, mutant);
  for (const tried of cases) {
    const result = await runCase(adapter, tried, timeoutMs);
    if (result.status === 'failed') return result;
  }
  return undefined;
}
