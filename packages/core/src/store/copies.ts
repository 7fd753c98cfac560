import { decodeRecord, encodeItem, refusing, TEXT } from './codec.ts';
import { MAX_ITEM_BYTES } from './limits.ts';
import type { RecordCodec } from './record-codec.ts';
import { checkStorable } from './storable.ts';

/** The most that one character of a string may be in JSON: `\u0000`. */
const MOST_OF_A_CHARACTER = 6;
/** The most that any other value is in JSON, a comma counted: a number, say. */
const MOST_OF_A_VALUE = 26;
/** A key's quotes and colon, or a string's quotes and comma. */
const AROUND_A_STRING = 3;

/** A copy of a checked item of JSON values, which is whole if its text is known to be no larger than an item may be. */
export class Copy {
  /** No less than the text has in bytes. */
  mostBytes = 0;
  readonly item: unknown;

  constructor(item: unknown) {
    this.item = this.#of(item);
  }

  #of(value: unknown): unknown {
    if (typeof value === 'string') {
      this.#count(value);
      return value;
    }
    this.mostBytes += MOST_OF_A_VALUE;
    // What is shared a million times would be there a million times.
    if (typeof value !== 'object' || value === null || this.mostBytes > MAX_ITEM_BYTES) return value;
    if (Array.isArray(value)) {
      const copy: unknown[] = [];
      // Not its own `map`: that of another realm makes an array of that realm.
      for (let at = 0; at < value.length; at++) copy.push(this.#of(value[at]));
      return copy;
    }
    // Also of a key `__proto__` a property, as in JSON.
    const copy: Record<string, unknown> = { ...value };
    for (const key of Object.keys(copy)) {
      const property = copy[key];
      if (property === undefined) {
        // Not in the text either.
        delete copy[key];
        continue;
      }
      this.#count(key);
      copy[key] = this.#of(property);
    }
    return copy;
  }

  #count(text: string): void {
    this.mostBytes += text.length * MOST_OF_A_CHARACTER + AROUND_A_STRING;
  }
}

/**
 * Items as copies, for a store in this process: to copy an item is many times faster than to write it down and read it
 * again, since its strings are not. What is not of JSON values, or may come near the limit, is text after all.
 */
export const COPIES: RecordCodec<Copy | string> = {
  encode: (item, index) => refusing(index, () => encodeCopy(item, index)),
  decode: (record) => (typeof record === 'string' ? decodeRecord(record) : again(record.item)),
  text: (record) => (typeof record === 'string' ? record : JSON.stringify(record.item)),
  mostBytes: (record) => (typeof record === 'string' ? TEXT.mostBytes(record) : record.mostBytes),
};

function encodeCopy(item: unknown, index: number): Copy | string {
  if (checkStorable(item, index) === 'json') {
    const copy = new Copy(item);
    if (copy.mostBytes <= MAX_ITEM_BYTES) return copy;
  }
  return encodeItem(item, index);
}

/** The same for a copy that was made here, of which nothing need be known any more. */
function again(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(again);
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) {
    const property = copy[key];
    if (typeof property === 'object') copy[key] = again(property);
  }
  return copy;
}
