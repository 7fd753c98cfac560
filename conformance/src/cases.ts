import type { ConformanceCase } from './case.ts';
import { addCases } from './cases/add.ts';
import { clearCases } from './cases/clear.ts';
import { expiryCases } from './cases/expiry.ts';
import { faultCases } from './cases/faults.ts';
import { getCases } from './cases/get.ts';
import { identityCases } from './cases/identity.ts';
import { isolationCases } from './cases/isolation.ts';
import { lifeCycleCases } from './cases/life-cycle.ts';
import { orderCases } from './cases/order.ts';
import { popCases } from './cases/pop.ts';
import { replacementCases } from './cases/replacement.ts';
import { rewriteCases } from './cases/rewrite.ts';
import { securityCases } from './cases/security.ts';
import { transactionCases } from './cases/transactions.ts';
import { valueCases } from './cases/values.ts';
import { historyCases } from './histories/history-cases.ts';
import { raceCases } from './races/race-cases.ts';

/** Every case of the kit, in the order of the contract. */
export const CASES: readonly ConformanceCase[] = [
  ...identityCases,
  ...getCases,
  ...addCases,
  ...popCases,
  ...clearCases,
  ...valueCases,
  ...isolationCases,
  ...orderCases,
  ...faultCases,
  ...transactionCases,
  ...rewriteCases,
  ...replacementCases,
  ...lifeCycleCases,
  ...expiryCases,
  ...securityCases,
  ...historyCases(),
  ...raceCases(),
];
