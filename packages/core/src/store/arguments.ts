import { SessionError } from '../errors.ts';
import { encodeAll, type RecordCodec } from './record-codec.ts';
import { type EncodedMutation, isFunctionCall } from './rewrite.ts';

/** A transaction, checked and written down: an append is the replacement of an empty suffix. */
export interface EncodedTransaction<TRecord> {
  readonly operationId: string;
  readonly type: 'append_items' | 'replace_suffix';
  readonly expectedSuffix: readonly TRecord[];
  readonly add: readonly TRecord[];
}

/**
 * Reads a transaction's arguments, each property once, before anything is changed (TXN-4).
 *
 * @throws SessionError `INVALID_ARGUMENT`, `INVALID_ITEM`, `ITEM_TOO_LARGE`
 */
export function readTransaction<TRecord>(
  args: unknown,
  codec: RecordCodec<TRecord>,
): EncodedTransaction<TRecord> {
  const { operationId, transaction } = readOnce(args, 'transaction arguments', [
    'operationId',
    'transaction',
  ]);
  if (typeof operationId !== 'string' || operationId.trim() === '') {
    invalid('The `operationId` must be a string that is not blank');
  }
  const fields = readAll(transaction, 'transaction');
  switch (fields.type) {
    case 'append_items':
      checkFields(fields, 'transaction', ['type', 'items']);
      return { operationId, type: fields.type, expectedSuffix: [], add: encodeAll(fields.items, codec) };
    case 'replace_suffix':
      checkFields(fields, 'transaction', ['type', 'expectedSuffix', 'replacement']);
      return {
        operationId,
        type: fields.type,
        expectedSuffix: encodeAll(fields.expectedSuffix, codec),
        add: encodeAll(fields.replacement, codec),
      };
    default:
      return invalid('The type of the transaction must be `append_items` or `replace_suffix`');
  }
}

/**
 * Reads the arguments of a rewrite, each property once, before anything is changed (RWR-1).
 *
 * @throws SessionError `INVALID_ARGUMENT`; `INVALID_ITEM` and `ITEM_TOO_LARGE` with the index of the mutation
 */
export function readMutations<TRecord>(
  args: unknown,
  codec: RecordCodec<TRecord>,
): EncodedMutation<TRecord>[] {
  const { mutations } = readOnce(args, 'arguments', ['mutations']);
  if (!Array.isArray(mutations)) return invalid('`mutations` must be an array');
  return Array.from(mutations, (mutation: unknown, index) => {
    const { type, callId, replacement } = readOnce(mutation, 'mutation', ['type', 'callId', 'replacement']);
    if (type !== 'replace_function_call') invalid('The type of a mutation must be `replace_function_call`');
    if (typeof callId !== 'string') invalid('The `callId` of a mutation must be a string');
    const record = codec.encode(replacement, index);
    const item = codec.decode(record);
    if (!isFunctionCall(item)) {
      invalid('The replacement in a mutation must be of type `function_call`');
    }
    return { callId, replacement: { record, item } };
  });
}

/** The fields of an object, each read once, so that it cannot show one value to the check and another later. */
function readAll(owner: unknown, what: string): Record<string, unknown> {
  if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) {
    return invalid(`The ${what} must be an object`);
  }
  return Object.fromEntries(Reflect.ownKeys(owner).map((key) => [key, Reflect.get(owner, key) as unknown]));
}

function readOnce<const TField extends string>(
  owner: unknown,
  what: string,
  expected: readonly TField[],
): Record<TField, unknown> {
  const fields = readAll(owner, what);
  checkFields(fields, what, expected);
  return fields;
}

function checkFields<const TField extends string>(
  fields: Record<string, unknown>,
  what: string,
  expected: readonly TField[],
): asserts fields is Record<TField, unknown> {
  const keys = Reflect.ownKeys(fields);
  if (keys.length !== expected.length || expected.some((field) => !keys.includes(field))) {
    invalid(`The ${what} must have exactly the fields ${expected.join(', ')}`);
  }
}

function invalid(what: string): never {
  throw new SessionError('INVALID_ARGUMENT', { message: `${what}. Nothing was written; correct the call.` });
}
