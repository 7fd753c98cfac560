import fc from 'fast-check';
import type { Capabilities } from '../adapter.ts';
import { basicCall, compactCall, flawlessCall, rewriteCall, transactionCall } from './arbitrary-calls.ts';
import type { Instance, Step } from './step.ts';

/** How often calls and other steps of each kind are made, against one another. */
export interface Weights {
  /** Adds, reads, pops and clears. */
  readonly basic: number;
  readonly transactions: number;
  readonly rewrites: number;
  readonly replacement: number;
  readonly aborted: number;
  readonly readAll: number;
  readonly newInstance: number;
  readonly reopen: number;
  /** How many of 100 calls are not awaited. */
  readonly notAwaited: number;
}

const through = fc.constantFrom<Instance[]>('a', 'b');

/** Histories of so many steps at the most. Calls that the adapter does not have are left out. */
export function arbitraryHistory(weights: Weights, has: Capabilities, steps: number): fc.Arbitrary<Step[]> {
  const kinds = [
    { weight: weights.basic, arbitrary: basicCall },
    { weight: has.transactions === true ? weights.transactions : 0, arbitrary: transactionCall },
    { weight: has.rewrites === true ? weights.rewrites : 0, arbitrary: rewriteCall },
    { weight: has.replacement === true ? weights.replacement : 0, arbitrary: compactCall },
  ];
  const call = fc.oneof(...kinds);
  const awaited = fc.oneof(
    { withCrossShrink: true },
    { weight: 100 - weights.notAwaited, arbitrary: fc.constant(true) },
    { weight: weights.notAwaited, arbitrary: fc.constant(false) },
  );
  const step = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Step> }[]>(
    {
      weight: kinds.reduce((sum, { weight }) => sum + weight, 0),
      arbitrary: fc
        .tuple(through, call, awaited)
        .map(([by, made, isAwaited]) => ({ step: 'call', through: by, call: made, awaited: isAwaited })),
    },
    {
      weight: weights.aborted,
      arbitrary: fc
        .tuple(through, flawlessCall)
        .map(([by, made]) => ({ step: 'aborted', through: by, call: made })),
    },
    { weight: weights.readAll, arbitrary: through.map((by) => ({ step: 'readAll', through: by })) },
    { weight: weights.newInstance, arbitrary: through.map((by) => ({ step: 'newInstance', through: by })) },
    { weight: weights.reopen, arbitrary: through.map((by) => ({ step: 'reopen', through: by })) },
  );
  return fc.array(step, { maxLength: steps, size: 'max' });
}
