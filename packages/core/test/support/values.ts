/** `value` inside `levels` levels of arrays and objects in turn. */
function nested(levels: number, value: unknown): unknown {
  let item = value;
  for (let level = 0; level < levels; level++) item = level % 2 ? [item] : { in: item };
  return item;
}

/** Items of JSON values, by what is odd about them. */
export const JSON_VALUES: Record<string, unknown> = {
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

/** Items of which JSON cannot say all. */
export const RICH_VALUES: Record<string, unknown> = {
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

export const MIB = 1024 * 1024;

/** A string whose JSON text has exactly so many bytes in UTF-8. */
export function textOf(bytes: number, character: string): string {
  const room = bytes - 2; // the quotes
  const width = Buffer.byteLength(JSON.stringify(character)) - 2;
  return character.repeat(Math.floor(room / width)) + 'a'.repeat(room % width);
}

/** Characters of each size that they have in JSON. */
export const CHARACTERS: [string, string][] = [
  ['ASCII', 'a'],
  ['two bytes', 'é'],
  ['three bytes', '漢'],
  ['surrogate pairs', '\u{1f600}'],
  ['lone surrogates', '\ud800'],
  ['escapes', '\0'],
  ['quotes', '"'],
];
