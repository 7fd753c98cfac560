import { addMutants } from './add.ts';
import { clearMutants } from './clear.ts';
import { compactionMutants } from './compaction.ts';
import { conversationsMutants } from './conversations.ts';
import { expiryMutants } from './expiry.ts';
import { faultMutants } from './faults.ts';
import { getMutants } from './get.ts';
import { identityMutants } from './identity.ts';
import { isolationMutants } from './isolation.ts';
import { lifeCycleMutants } from './life-cycle.ts';
import type { Mutant } from './mutant.ts';
import { orderMutants } from './order.ts';
import { popMutants } from './pop.ts';
import { replacementMutants } from './replacement.ts';
import { rewriteMutants } from './rewrite.ts';
import { securityMutants } from './security.ts';
import { transactionMutants } from './transactions.ts';
import { valueMutants } from './values.ts';

/** Every wrong adapter, in the order of the contract. */
export const MUTANTS: readonly Mutant[] = [
  ...identityMutants,
  ...getMutants,
  ...addMutants,
  ...popMutants,
  ...clearMutants,
  ...valueMutants,
  ...isolationMutants,
  ...orderMutants,
  ...faultMutants,
  ...transactionMutants,
  ...rewriteMutants,
  ...replacementMutants,
  ...compactionMutants,
  ...lifeCycleMutants,
  ...expiryMutants,
  ...securityMutants,
  ...conversationsMutants,
];
