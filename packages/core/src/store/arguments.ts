import { SessionError } from '../errors.ts';
import { decodeRecord, encodeItems } from './codec.ts';
import { type EncodedMutation, isFunctionCall } from './rewrite.ts';

/** A transaction, checked and written down: an append is the replacement of an empty suffix. */
export interface EncodedTransaction {
  readonly operationId: string;
  readonly type: 'append_items' | 'replace_suffix';
  readonly expectedSuffix: readonly string[];
  readonly add: readonly string[];
}

/**
 * Reads a transaction's arguments, each property once, before anything is changed (TXN-4).
 *
 * @throws SessionError `INVALID_ARGUMENT`, `INVALID_ITEM`, `ITEM_TOO_LARGE`
 */
export function readTransaction(args: unknown): EncodedTransaction {
  const { operationId, transaction } = readOnce(args, 'transaction arguments', [
    'operationId',
    'transaction',
  ]);
  if (typeof operationId !== 'string' || operationId.trim() === '') {
    invalid('The `operationId` must be a string that is not blank');
  }
  const fields = readOnce(transaction, 'transaction');
  switch (fields.type) {
    case 'append_items':
      checkFields(fields, 'transaction', ['type', 'items']);
      return { operationId, type: fields.type, expectedSuffix: [], add: encodeItems(fields.items) };
    case 'replace_suffix':
      checkFields(fields, 'transaction', ['type', 'expectedSuffix', 'replacement']);
      return {
        operationId,
        type: fields.type,
        expectedSuffix: encodeItems(fields.expectedSuffix),
        add: encodeItems(fields.replacement),
      };
    default:
      return invalid('The type of the transaction must be `append_items` or `replace_suffix`');
  }
}

/**
 * Reads the arguments of a rewrite, each property once, before anything is changed (RWR-1).
 *
 * @throws SessionError `INVALID_ARGUMENT`, `INVALID_ITEM`, `ITEM_TOO_LARGE`
 */
export function readMutations(args: unknown): EncodedMutation[] {
  const { mutations } = readOnce(args, 'arguments', ['mutations']);
  if (!Array.isArray(mutations)) return invalid('`mutations` must be an array');
  return Array.from(mutations, (mutation: unknown) => {
    const { type, callId, replacement } = readOnce(mutation, 'mutation', ['type', 'callId', 'replacement']);
    if (type !== 'replace_function_call') invalid('The type of a mutation must be `replace_function_call`');
    if (typeof callId !== 'string') invalid('The `callId` of a mutation must be a string');
    const [record] = encodeItems([replacement]) as [string];
    const item = decodeRecord(record);
    if (!isFunctionCall(item)) {
      invalid('The replacement in a mutation must be an item of type `function_call`');
    }
    return { callId, replacement: { record, item } };
  });
}

type Fields<TKey extends string> = Partial<Record<TKey, unknown>>;

/** All fields of an object, each read once, so that it cannot show one value to the check and another later. */
function readOnce<TKey extends string = string>(
  owner: unknown,
  what: string,
  allowed?: readonly TKey[],
): Fields<TKey> {
  if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) {
    return invalid(`The ${what} must be an object`);
  }
  const keys = Reflect.ownKeys(owner);
  const unknown = allowed ? keys.some((key) => !allowed.includes(key as TKey)) : keys.length > MOST_FIELDS;
  if (unknown) invalid(`The ${what} may have no other fields than those documented`);
  return Object.fromEntries(keys.map((key) => [key, Reflect.get(owner, key) as unknown])) as Fields<TKey>;
}

/** A transaction's fields depend on its type, so they are read before it is known which are allowed. */
const MOST_FIELDS = 3;

function checkFields(fields: object, what: string, expected: readonly string[]): void {
  const keys = Reflect.ownKeys(fields);
  if (keys.length !== expected.length || expected.some((key) => !keys.includes(key))) {
    invalid(`A ${what} of this type has exactly the fields ${expected.join(', ')}`);
  }
}

function invalid(what: string): never {
  throw new SessionError('INVALID_ARGUMENT', { message: `${what}. Nothing was written; correct the call.` });
}
