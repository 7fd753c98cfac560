import { describe, expect, it } from 'vitest';
import { DAMAGED, decodeRecord, encodeItems, HELD_MARK } from '../src/store.ts';
import { Random } from './support/random.ts';
import { thrownBy } from './support/sessions.ts';
import { show } from './support/show.ts';
import { JSON_VALUES, RICH_VALUES } from './support/values.ts';

const encode = (item: unknown): string => encodeItems([item])[0]!;
const roundTrip = (item: unknown): unknown => decodeRecord(encode(item));

describe('JSON values', () => {
  it.each(Object.entries(JSON_VALUES))('VAL-1 brings back %s', (_, item) => {
    expect(show(roundTrip(item))).toBe(show(item));
  });

  it.each(Object.entries(JSON_VALUES))('VAL-4 writes %s as plain JSON text', (_, item) => {
    const record = encode(item);
    expect(show(JSON.parse(record))).toBe(show(item));
    // Stores write UTF-8, in which a lone surrogate would be lost.
    expect(record.isWellFormed()).toBe(true);
  });

  it('VAL-1 keeps `__proto__` an own property, and the prototype as it is', () => {
    const back = roundTrip(JSON.parse('{"__proto__":{"admin":true}}')) as { admin?: boolean };
    expect(Object.keys(back)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(back.admin).toBeUndefined();
  });

  it('VAL-1 keeps an object without a prototype as a plain one', () => {
    const item = Object.assign(Object.create(null) as object, { a: 1 });
    expect(show(roundTrip(item))).toBe('{"a":1}');
    expect(encode(item)).toBe('{"a":1}');
  });

  it('VAL-2 leaves out a property that is undefined, and stays plain JSON', () => {
    expect(encode({ a: 1, b: undefined, c: { d: undefined } })).toBe('{"a":1,"c":{}}');
  });

  it('VAL-1 VAL-4 brings back 500 random values', () => {
    const random = new Random(1);
    for (let round = 0; round < 500; round++) {
      const item = random.json();
      const record = encode(item);
      expect(show(decodeRecord(record)), `round ${round}`).toBe(show(item));
      expect(show(JSON.parse(record)), `round ${round}`).toBe(show(item));
      expect(record.isWellFormed(), `round ${round}`).toBe(true);
    }
  });
});

describe('values beyond JSON', () => {
  it.each(Object.entries(RICH_VALUES))('VAL-2 brings back %s', (_, item) => {
    expect(show(roundTrip(item))).toBe(show(item));
  });

  it.each(Object.entries(RICH_VALUES))(
    'VAL-2 writes %s so that JSON cannot be mistaken for it',
    (_, item) => {
      const record = encode(item);
      expect(() => JSON.parse(record)).toThrow(SyntaxError);
      expect(record.startsWith(HELD_MARK)).toBe(false);
      expect(record.isWellFormed()).toBe(true);
    },
  );

  it('VAL-2 brings back bytes as a Uint8Array of just these, not as a Buffer', () => {
    const back = roundTrip({ bytes: new Uint8Array([1, 2, 3]) }) as { bytes: Uint8Array };
    expect(Object.getPrototypeOf(back.bytes)).toBe(Uint8Array.prototype);
    expect(back.bytes.buffer.byteLength).toBe(3);
  });

  it('VAL-2 takes a Buffer for the bytes that it shows', () => {
    const pool = Buffer.from('left|visible|right');
    expect(show(roundTrip([pool.subarray(5, 12)]))).toBe(show([new Uint8Array(Buffer.from('visible'))]));
    expect(encode([pool.subarray(5, 12)])).toBe(encode([new Uint8Array(Buffer.from('visible'))]));
  });

  it.each([
    ['a Uint8Array', new Uint8Array(1_000_000).subarray(500, 510)],
    ['a Uint16Array', new Uint16Array(500_000).subarray(500, 505)],
    ['a DataView', new DataView(new ArrayBuffer(1_000_000), 500, 10)],
  ])('SEC-2 does not write down what lies around %s in its buffer', (_, view) => {
    expect(encode(view).length).toBeLessThan(100);
  });

  it('VAL-2 brings back 500 random values', () => {
    const random = new Random(2);
    for (let round = 0; round < 500; round++) {
      const item = random.rich();
      const record = encode(item);
      expect(show(decodeRecord(record)), `round ${round}`).toBe(show(item));
      expect(record.isWellFormed(), `round ${round}`).toBe(true);
    }
  });

  it('VAL-4 keeps plain what is plain, in a batch with what is not', () => {
    const records = encodeItems([{ a: 1 }, { b: 1n }, { c: 3 }]);
    expect(records).toHaveLength(3);
    expect([records[0], records[2]]).toEqual(['{"a":1}', '{"c":3}']);
  });
});

describe('records', () => {
  it.each([
    '',
    '{',
    '{"a":1}}',
    'undefined',
    'NaN',
    "{'a':1}",
    '\0',
    '\ufffd',
    '[1,]',
    '=',
    '=[',
    '=-1',
    '=[[1]]',
    '=[["Date"',
    '=[["Nobody",1]]',
    '=[["Map",1]]',
    '=[["Uint8Array","!!!"]]',
    '=[["Entries",1],5]',
    '={"a":1}',
    '=[{"__proto__":1},1]',
    '=[["BigInt","x"]]',
  ])('POP-3 finds %j damaged', (record) => {
    expect(decodeRecord(record)).toBe(DAMAGED);
  });

  it('POP-3 finds a record of each kind damaged when its end is cut off', () => {
    for (const item of [
      { role: 'user', content: 'hello' },
      { n: 1n, m: new Map([['a', new Uint8Array([1])]]) },
    ]) {
      const record = encode(item);
      for (let length = 0; length < record.length; length++) {
        expect(decodeRecord(record.slice(0, length)), record.slice(0, length)).toBe(DAMAGED);
      }
    }
  });

  it.each(['~', '~{"a":1}', '~2:sealed'])('POP-4 fails on %j, which is not damaged but held', (record) => {
    const error = thrownBy(() => decodeRecord(record));
    expect(error).toMatchObject({ code: 'UNREADABLE_ITEM', retryable: false });
    expect(String(error)).not.toContain('sealed');
  });

  it('ISO-1 makes a new item each time', () => {
    const record = encode({ list: [1] });
    const first = decodeRecord(record) as { list: number[] };
    first.list.push(2);
    expect(decodeRecord(record)).toEqual({ list: [1] });
  });

  it.each([undefined, null, 'text', {}, { length: 1, 0: 'a' }, new Set([1])])(
    'ADD-5 refuses %s instead of a batch',
    (items) => {
      expect(thrownBy(() => encodeItems(items))).toMatchObject({ code: 'INVALID_ARGUMENT' });
    },
  );
});
