import { describe, expect, it } from 'vitest';
import { DAMAGED, decodeRecord, encodeItems, HELD_MARK } from '../src/store.ts';
import { Random } from './support/random.ts';
import { thrownBy } from './support/sessions.ts';
import { show } from './support/show.ts';

const encode = (item: unknown): string => encodeItems([item])[0]!;
const roundTrip = (item: unknown): unknown => decodeRecord(encode(item));

/** `value` inside `levels` levels of arrays and objects in turn. */
function nested(levels: number, value: unknown): unknown {
  let item = value;
  for (let level = 0; level < levels; level++) item = level % 2 ? [item] : { in: item };
  return item;
}

const JSON_VALUES: Record<string, unknown> = {
  'the empty string': '',
  'a string of every odd kind': 'a\0b\u2028\u2029"\\</script>\u{1f600}漢字é\x7f\ufeff',
  'a lone high surrogate': 'a\ud800b',
  'a lone low surrogate': '\udc00',
  'surrogates the wrong way round': '\udc00\ud800',
  'lone surrogates in keys': { '\ud800': { '\udfff\ud83d': 1 } },
  'an empty object': {},
  'an empty array': [],
  'empty ones, nested': { a: [], b: {}, c: [{}, [[]]] },
  'the empty key': { '': { '': '' } },
  'keys that stores dislike': {
    'a.b': 1,
    $set: { $ne: null },
    _bsontype: 'ObjectId',
    constructor: { name: 'x' },
  },
  'a key `__proto__`': JSON.parse('{"a":1,"__proto__":{"b":{"__proto__":null}},"z":2}'),
  'other names from prototypes': { toString: 1, hasOwnProperty: null, valueOf: [], prototype: {}, length: 5 },
  'a `toJSON` that is data': { toJSON: 'no function' },
  // biome-ignore lint/suspicious/noThenProperty: as data it must do no harm
  'a `then` that is data': { then: 'no function' },
  'keys out of order': { z: 1, a: 2, m: { y: 1, b: 2 } },
  'a key NUL': { '\0': '\0' },
  'a small number': 1e-7,
  'a large number': 1.23e40,
  'the largest safe integer': 9007199254740991,
  'the extremes': [5e-324, 1.7976931348623157e308, 0.1, -1.5, 0],
  'true, false and null': [true, false, null],
  'null itself': null,
  '100 levels of nesting': nested(100, 'core'),
  '1,000 levels of nesting': nested(1_000, 'core'),
  'an array that looks like an envelope': ['Date', '2020-01-01T00:00:00.000Z'],
  'a string that looks like an envelope': '=[["Date","2020-01-01T00:00:00.000Z"]]',
  'a string that looks held': '~sealed',
};

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

const RICH_VALUES: Record<string, unknown> = {
  'a Uint8Array': { image: new Uint8Array([0, 1, 254, 255]) },
  'an empty Uint8Array': new Uint8Array(0),
  'a part of a larger buffer': new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4),
  'a date': { at: new Date(1_700_000_000_123) },
  'a date before year 0': new Date(-1e14),
  'an invalid date': [new Date(Number.NaN)],
  'an empty Map': new Map(),
  'a Map with keys of all kinds': new Map<unknown, unknown>([
    ['a', 1],
    [1, 'a'],
    [Number.NaN, 2n],
    [{ k: 1 }, [new Date(0)]],
    [undefined, undefined],
  ]),
  'an empty Set': new Set(),
  'a Set': new Set<unknown>(['a', 1, null, undefined, Number.NaN, [1]]),
  'Maps and Sets, nested': new Map([['a', new Set([new Map([['b', new Uint8Array([1])]])])]]),
  'a BigInt': 12345678901234567890n,
  'a negative BigInt': { n: -1n },
  'undefined in arrays': [undefined, 1, undefined],
  'NaN and the infinities': [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  'NaN itself': Number.NaN,
  '-0': -0,
  '-0 deep inside': { a: [{ b: -0 }, 0] },
  'an ArrayBuffer': new Uint8Array([1, 2, 3]).buffer,
  'a DataView': new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2),
  'a clamped array': new Uint8ClampedArray([1, 2]),
  'arrays of integers': [
    new Int8Array([-1]),
    new Int16Array([-2, 300]),
    new Uint16Array([65535]),
    new Int32Array([-70000]),
    new Uint32Array([2 ** 32 - 1]),
  ],
  'arrays of floats': [new Float32Array([0.5, Number.NaN]), new Float64Array([1e300, -0])],
  'arrays of BigInts': [new BigInt64Array([-5n]), new BigUint64Array([5n])],
  'a part of a Float64Array': new Float64Array([1, 2, 3]).subarray(1, 2),
  'a key `__proto__` beside a BigInt': Object.fromEntries<unknown>([
    ['__proto__', { a: 1n }],
    ['b', [JSON.parse('{"__proto__":[1]}')]],
  ]),
  'lone surrogates beside a BigInt': { '\ud800': ['\udc00', 1n, { '\udc00\ud800': '\ud83d' }] },
  'odd strings beside a BigInt': ['', '\0\u2028\u2029</script>"\\', 1n, { '': '', 'a.b': 1, $set: 2 }],
  'an object named like a kind beside a BigInt': [['Date', 'x'], { Entries: [['a', 1]] }, 1n],
  '1,000 levels of nesting around a BigInt': nested(1_000, 1n),
};

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
