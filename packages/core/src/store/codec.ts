import { stringify, unflatten } from 'devalue';
import { isSessionError, SessionError } from '../errors.ts';
import { itemTooLarge, MAX_ITEM_BYTES, utf8Bytes } from './limits.ts';
import { readJson } from './read-json.ts';
import { encodeAll, type RecordCodec } from './record-codec.ts';
import { checkStorable, type Form, visiblePart } from './storable.ts';

/** Begins a record whose item JSON alone cannot say; no JSON text begins so. */
const RICH_MARK = '=';

/**
 * Begins a record that must never be dropped unread (POP-4): one that is sealed with a key, or written by a
 * newer version in a form of its own. This version writes none.
 */
export const HELD_MARK = '~';

/** What {@link decodeRecord} returns for a record that nobody will ever read. */
export const DAMAGED: unique symbol = Symbol('damaged record');

/** Items as text: what a store keeps unless it says otherwise. */
export const TEXT: RecordCodec<string> = {
  encode: encodeItem,
  decode: decodeRecord,
  text: (record) => record,
  mostBytes: ({ length }) => length * 3,
};

/** {@link encodeAll} for text: items of JSON values become plain JSON (VAL-4). */
export function encodeItems(items: unknown): string[] {
  return encodeAll(items, TEXT);
}

/**
 * One item as the text of its record: plain JSON where it is JSON (VAL-4).
 *
 * @param index - its place among the items of the call, for errors
 * @throws SessionError `INVALID_ITEM`, `ITEM_TOO_LARGE`
 */
export function encodeItem(item: unknown, index: number): string {
  try {
    return writeDown(item, index, checkStorable(item, index));
  } catch (error) {
    throw refusalOf(error, index);
  }
}

/** The text of an item that was checked. */
export function writeDown(item: unknown, index: number, form: Form): string {
  const record =
    form === 'json'
      ? JSON.stringify(item)
      : RICH_MARK + stringify(item, REDUCERS, { operations: OPERATIONS });
  if (
    record.length > MAX_ITEM_BYTES ||
    (record.length * 3 > MAX_ITEM_BYTES && utf8Bytes(record) > MAX_ITEM_BYTES)
  ) {
    throw itemTooLarge(index);
  }
  return record;
}

/** Makes of what the engine threw while an item was written `ITEM_TOO_LARGE` or `INVALID_ITEM`. */
export function refusalOf(error: unknown, index: number): SessionError {
  if (isSessionError(error)) return error;
  // Checked data fails for its size only: of the text, or of the stack where the caller left little.
  const isRange = error instanceof RangeError;
  if (isRange && error.message.includes('string length')) return itemTooLarge(index);
  return new SessionError('INVALID_ITEM', {
    message: `Item ${index} cannot be stored${isRange ? ': it nests too deeply' : ''}. Nothing was written.`,
    index,
    path: '',
  });
}

/**
 * Reads a record back into an item, or finds it {@link DAMAGED} (POP-3).
 *
 * @throws SessionError `UNREADABLE_ITEM` if it begins with {@link HELD_MARK} (POP-4)
 */
export function decodeRecord(record: string): unknown {
  if (record.startsWith(HELD_MARK)) throw new SessionError('UNREADABLE_ITEM');
  try {
    if (!record.startsWith(RICH_MARK)) return readJson(record);
    const flat = readJson(record.slice(RICH_MARK.length)) as number | unknown[];
    const item: unknown = unflatten(flat, REVIVERS);
    // What could not have been written here was not: a cycle, say, or an array with a billion holes.
    checkStorable(item, 0);
    return item;
  } catch {
    return DAMAGED;
  }
}

// The library refuses objects with a key `__proto__`; as a list of entries they are kept like any other (VAL-1).
const REDUCERS = {
  Entries: (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, '__proto__') &&
    !ArrayBuffer.isView(value) &&
    Object.entries(value),
};
const REVIVERS = {
  Entries: (entries: [string, unknown][]) => Object.fromEntries(entries),
};

const OPERATIONS = {
  // As JSON has it: an object without a prototype comes back as any other.
  shapeOf(value: object) {
    return { kind: 'plain' as const, keys: Object.keys(value) };
  },
  // The library would write the whole buffer under a view; only the visible bytes are the item's.
  viewInfo(view: ArrayBufferView) {
    const { buffer, byteOffset, byteLength, length } = visiblePart(view);
    const copy = new Uint8Array(byteLength);
    copy.set(new Uint8Array(buffer, byteOffset, byteLength));
    return { buffer: copy.buffer, byteOffset: 0, byteLength, length, bufferByteLength: byteLength };
  },
};
