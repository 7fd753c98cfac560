import { randomInt } from 'node:crypto';
import type { ConformanceCase } from './case.ts';
import { addCases } from './cases/add.ts';
import { clearCases } from './cases/clear.ts';
import { compactionCases } from './cases/compaction.ts';
import { conversationsCases } from './cases/conversations.ts';
import { erasureCases } from './cases/erasure.ts';
import { expiryCases } from './cases/expiry.ts';
import { faultMatrixCases } from './cases/fault-matrix.ts';
import { faultCases } from './cases/faults.ts';
import { getCases } from './cases/get.ts';
import { identityCases } from './cases/identity.ts';
import { isolationCases } from './cases/isolation.ts';
import { lifeCycleCases } from './cases/life-cycle.ts';
import { longAfterCases } from './cases/long-after.ts';
import { orderCases } from './cases/order.ts';
import { outageCases } from './cases/outages.ts';
import { popCases } from './cases/pop.ts';
import { replacementCases } from './cases/replacement.ts';
import { rewriteCases } from './cases/rewrite.ts';
import { securityCases } from './cases/security.ts';
import { transactionCases } from './cases/transactions.ts';
import { valueCases } from './cases/values.ts';
import { historyCases } from './histories/history-cases.ts';
import { raceCases } from './races/race-cases.ts';

/** What generated cases make. */
export interface Generation {
  /** Another one each time by default. */
  readonly seed?: number | undefined;
  /** Many more and longer histories and races. */
  readonly soak?: boolean | undefined;
}

/** Every case of the kit, in the order of the contract, those that generate what they try last. */
export function allCases({ seed = randomInt(2 ** 30), soak }: Generation = {}): ConformanceCase[] {
  return [
    ...FIXED_CASES,
    ...faultMatrixCases({ seed, soak }),
    ...historyCases({ seed, soak }),
    ...raceCases({ seed, soak }),
  ];
}

const FIXED_CASES: readonly ConformanceCase[] = [
  ...identityCases,
  ...getCases,
  ...addCases,
  ...popCases,
  ...clearCases,
  ...erasureCases,
  ...valueCases,
  ...isolationCases,
  ...orderCases,
  ...faultCases,
  ...outageCases,
  ...transactionCases,
  ...rewriteCases,
  ...replacementCases,
  ...compactionCases,
  ...lifeCycleCases,
  ...expiryCases,
  ...longAfterCases,
  ...securityCases,
  ...conversationsCases,
];

/** Every case, as it is without a wish. */
export const CASES: readonly ConformanceCase[] = allCases();
