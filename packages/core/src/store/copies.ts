import { decodeRecord, refusalOf, TEXT, writeDown } from './codec.ts';
import { MAX_ITEM_BYTES } from './limits.ts';
import type { RecordCodec } from './record-codec.ts';
import { checkStorable } from './storable.ts';

/** The most that one character of a string may be in JSON: `\u0000`. */
const MOST_OF_A_CHARACTER = 6;
/** The most that any other value is in JSON, a comma counted: a number, say. */
const MOST_OF_A_VALUE = 26;
/** A key's quotes and colon, or a string's quotes and comma. */
const AROUND_A_STRING = 3;

/** An item of JSON values that nobody else holds. */
export class Copy {
  readonly item: unknown;
  /** No less than its text has in bytes. */
  readonly mostBytes: number;

  constructor(item: unknown, mostBytes: number) {
    this.item = item;
    this.mostBytes = mostBytes;
  }
}

/**
 * Items as copies, for whoever keeps them in this process: to copy an item is many times faster than to write it down and read
 * it again, since its strings are not. What is not of JSON values, or may come near the limit, is text after all.
 */
export const COPIES: RecordCodec<Copy | string> = {
  encode(item, index) {
    try {
      const form = checkStorable(item, index);
      return (form === 'json' && copyOf(item)) || writeDown(item, index, form);
    } catch (error) {
      throw refusalOf(error, index);
    }
  },
  decode: (record) => (typeof record === 'string' ? decodeRecord(record) : fresh(record.item)),
  text: (record) => (typeof record === 'string' ? record : JSON.stringify(record.item)),
  mostBytes: (record) => (typeof record === 'string' ? TEXT.mostBytes(record) : record.mostBytes),
};

/** A copy of a checked item, unless it may have more bytes than an item may. */
function copyOf(item: unknown): Copy | undefined {
  const copying = new Copying();
  const copy = copying.of(item);
  return copying.mostBytes <= MAX_ITEM_BYTES ? new Copy(copy, copying.mostBytes) : undefined;
}

class Copying {
  mostBytes = 0;

  of(value: unknown): unknown {
    if (typeof value === 'string') {
      this.#count(value);
      return value;
    }
    this.mostBytes += MOST_OF_A_VALUE;
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? this.#array(value) : this.#object(value);
  }

  #array(array: readonly unknown[]): unknown[] {
    // Not its own `map`, which in another realm makes an array of that realm.
    const copy = [...array];
    // Not beyond what may be kept: what holds one object a million times would be copied as often.
    for (let at = 0; at < copy.length && this.mostBytes <= MAX_ITEM_BYTES; at++) copy[at] = this.of(copy[at]);
    return copy;
  }

  #object(object: object): object {
    // Of a key `__proto__` too a property, as in JSON; to set a property that is there does not touch the prototype.
    const copy: Record<string, unknown> = { ...object };
    for (const key of Object.keys(copy)) {
      const property = copy[key];
      // Rewritten and canonical records would differ from those that were text.
      if (property === undefined) return this.#object(withoutUndefined(copy));
      this.#count(key);
      copy[key] = this.of(property);
      if (this.mostBytes > MAX_ITEM_BYTES) break;
    }
    return copy;
  }

  #count(text: string): void {
    this.mostBytes += text.length * MOST_OF_A_CHARACTER + AROUND_A_STRING;
  }
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, property]) => property !== undefined));
}

/** A copy's item once more. Neither checked nor counted: it was made here, and never given to anybody. */
function fresh(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fresh);
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) {
    const property = copy[key];
    if (typeof property === 'object') copy[key] = fresh(property);
  }
  return copy;
}
