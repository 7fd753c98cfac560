import fc from 'fast-check';
import { message, messages } from '../items.ts';
import type { Batch } from './batch.ts';
import { NOT_DATA } from './not-data.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  // Any 16-bit units, so lone surrogates as well.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', '\ud800', '\udc00', '\0', '\u2028', '"', '\\', '=[1]', '~1', '{}', 'null', '😀'),
);

const key = fc.oneof(
  fc.string({ maxLength: 4 }),
  // Those with escapes are told apart by care only: engines have mixed them up (nodejs/node#63785).
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    '$set',
    'a.b',
    '_bsontype',
    'then',
    '1',
    '\ud800',
    '\\',
    '\n',
    '"',
  ),
  text,
);

const jsonLeaf = fc.oneof(
  text,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, false, 1e-7, 1.23e40, 5e-324, Number.MAX_SAFE_INTEGER),
);

const richLeaf = fc.oneof(
  fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  fc.bigInt(),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array(),
  // A view of some of its buffer's bytes.
  fc.uint8Array({ minLength: 3 }).map((bytes) => bytes.subarray(1, 2)),
  jsonLeaf,
);

/** `Object.fromEntries`, so that `__proto__` is a property like any other. */
function objectsOf(property: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc
    .array(fc.tuple(key, property), { maxLength: 5 })
    .map((entries): object => Object.fromEntries(entries));
}

const DEPTH = { depthSize: 'small', maxDepth: 4 } as const;

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(DEPTH, jsonLeaf, fc.array(tie('value'), { maxLength: 5 }), objectsOf(tie('value'))),
})).value;

const rich = fc.letrec<{ value: unknown; orUndefined: unknown }>((tie) => ({
  value: fc.oneof(
    DEPTH,
    richLeaf,
    fc.array(tie('orUndefined'), { maxLength: 5 }),
    objectsOf(tie('orUndefined')),
    fc.array(fc.tuple(tie('value'), tie('orUndefined')), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => new Set(values)),
  ),
  orUndefined: fc.oneof({ arbitrary: tie('value'), weight: 3 }, fc.constant(undefined)),
})).value;

const deep = fc.integer({ min: 10, max: 98 }).map((levels) => {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
});

/** Few, so that calls meet calls with the same id. */
export const callId = fc.constantFrom('c0', 'c1', '');

/** A function call with a given id. */
export function functionCall(id: string): fc.Arbitrary<{ type: 'function_call'; callId: string }> {
  return fc
    .nat(9)
    .map((args) => ({ type: 'function_call' as const, callId: id, name: 'look', arguments: `${args}` }));
}

/** Anything that an item may be. Simple items, which are often equal to one another, come more often than strange ones. */
const item: fc.Arbitrary<unknown> = fc.oneof(
  { withCrossShrink: true },
  { arbitrary: fc.nat(4).map(message), weight: 6 },
  { arbitrary: callId.chain(functionCall), weight: 3 },
  { arbitrary: callId.map((id) => ({ type: 'function_call_result', callId: id })), weight: 1 },
  { arbitrary: json, weight: 1 },
  { arbitrary: json.map((content) => ({ role: 'user', content })), weight: 2 },
  { arbitrary: rich, weight: 1 },
  { arbitrary: rich.map((content) => ({ role: 'tool', content })), weight: 2 },
  { arbitrary: deep, weight: 1 },
);

const someItems = fc.oneof(
  { withCrossShrink: true },
  { arbitrary: fc.array(item, { maxLength: 5, size: 'max' }), weight: 8 },
  { arbitrary: fc.array(item, { maxLength: 30, size: 'max' }), weight: 3 },
  { arbitrary: fc.integer({ min: 31, max: 300 }).map((count): unknown[] => messages(0, count)), weight: 1 },
);

/** Items that can be stored, none to 300. */
export const goodBatch: fc.Arbitrary<Batch> = someItems.map((items) => ({ items }));

/** Items of which one cannot be stored. */
const badBatch: fc.Arbitrary<Batch> = fc
  .tuple(fc.array(item, { maxLength: 5 }), fc.nat(5), fc.nat(NOT_DATA.length - 1))
  .map(([items, at, kind]) => ({ items, refused: { index: Math.min(at, items.length), kind } }));

export const batch = fc.oneof({ arbitrary: goodBatch, weight: 9 }, { arbitrary: badBatch, weight: 1 });
