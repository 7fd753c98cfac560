import type { HistoryMutation } from '@sessions/core';
import fc from 'fast-check';
import { batch, callId, functionCall, goodBatch } from './arbitrary-items.ts';
import type { BasicCall, Call } from './step.ts';
import { SUFFIX_TWISTS } from './suffix.ts';

const limit = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE) },
  { weight: 1, arbitrary: fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, -1, -7, Number.MIN_SAFE_INTEGER, -Number.MAX_VALUE) },
);

const badLimit = fc.constantFrom(Number.NaN, 0.5, 1.5, -0.5, 5e-324, 2 ** 31 + 0.5);

const popItem = fc.constant<BasicCall>({ call: 'popItem' });
const clearSession = fc.constant<BasicCall>({ call: 'clearSession' });

function addItems(items: typeof batch): fc.Arbitrary<BasicCall> {
  return items.map((added) => ({ call: 'addItems', batch: added }));
}

function getItems(limits: fc.Arbitrary<number | undefined>): fc.Arbitrary<BasicCall> {
  return limits.map((wanted) => ({ call: 'getItems', limit: wanted }));
}

/** Calls that would succeed, to be made with a signal that has fired. */
export const flawlessCall = fc.oneof(popItem, addItems(goodBatch), getItems(limit), clearSession);

export const basicCall = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Call> }[]>(
  { weight: 10, arbitrary: addItems(batch) },
  { weight: 7, arbitrary: getItems(limit) },
  { weight: 1, arbitrary: getItems(badLimit) },
  { weight: 6, arbitrary: popItem },
  { weight: 1, arbitrary: clearSession },
  { weight: 1, arbitrary: fc.constant({ call: 'getSessionId' }) },
);

/** Most are fresh; some come again by chance, and some are of the kind that names get mixed up with. */
const operationId = fc.oneof(
  fc.nat(999).map((number) => `op${number}`),
  fc.constantFrom(
    'a',
    'A',
    'a ',
    ' a',
    'a:b',
    '$set',
    'a.b',
    '__proto__',
    'constructor',
    'é',
    'e\u0301',
    '\ud800',
  ),
);

export const transactionCall = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Call> }[]>(
  {
    weight: 3,
    arbitrary: fc
      .tuple(operationId, batch)
      .map(([id, items]) => ({ call: 'append', operationId: id, batch: items })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(operationId, fc.nat(8), fc.constantFrom(...SUFFIX_TWISTS), batch)
      .map(([id, count, twist, items]) => {
        return { call: 'replaceSuffix', operationId: id, count, twist, batch: items };
      }),
  },
  { weight: 3, arbitrary: fc.nat(20).map((which) => ({ call: 'repeatTransaction', which })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(20), batch)
      .map(([which, items]) => ({ call: 'reuseOperationId', which, batch: items })),
  },
);

const mutation = callId.chain((id) =>
  functionCall(id).map((replacement): HistoryMutation<unknown> => {
    // Of `unknown` items TypeScript cannot tell which are calls.
    return { type: 'replace_function_call', callId: id, replacement: replacement as never };
  }),
);

export const rewriteCall = fc
  .array(mutation, { maxLength: 3 })
  .map((mutations): Call => ({ call: 'rewriteCalls', mutations }));

export const compactCall = batch.map((items): Call => ({ call: 'compact', batch: items }));
