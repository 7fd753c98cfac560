import { inspect } from 'node:util';
import { promise } from '../case.ts';
import { holds, refused, same } from '../check.ts';
import { SECRET } from './secret.ts';

/** An own property `__proto__`, which a literal cannot have. */
function withProto(value: unknown): object {
  return Object.fromEntries([['__proto__', value]]);
}

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

/** JSON values that some store or codec is known to change, lose or refuse. */
const JSON_VALUES: readonly unknown[] = [
  'plain',
  '日本語 😀 é e\u0301',
  'lone \ud800 and \udc00 surrogates',
  '\ud83d',
  'NUL \0 inside',
  'separators \u2028 \u2029 \ufeff',
  'controls \b\f\n\r\t\u0001\u007f',
  '"quotes" \\ and / <script>',
  '',
  ' ',
  '{}',
  'null',
  '=[1]',
  '~1',
  {},
  [],
  [[]],
  [{}],
  null,
  true,
  false,
  0,
  1,
  -1,
  1e-7,
  1.23e40,
  5e-324,
  1.7976931348623157e308,
  0.1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 53 + 2,
  { '': 1 },
  { 'a.b': 1, $set: { x: 1 }, $where: '1', a$b: 2, '.': 3 },
  { constructor: 1, prototype: 2, toString: 3, hasOwnProperty: 4, length: 5 },
  Object.fromEntries([['then', 1]]),
  withProto(1),
  withProto({ a: withProto([]) }),
  { _bsontype: 'ObjectId', $oid: '0', $date: 1, $numberLong: '1', $binary: '' },
  { S: 'a', N: '1', M: {}, L: [], B: 'AA==', NULL: true },
  { type: 'Buffer', data: [1, 2] },
  { '\ud800': 1, '\udc00': 2, é: 3, '\0': 4 },
  { 10: 'a', 9: 'b', b: 1, a: 2 },
  { z: 1, y: { d: 1, c: 2 }, x: [{ b: 1, a: 2 }] },
  nested(100),
  nested(600),
  Array.from({ length: 2_000 }, (_, at) => at),
  Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${1_000 - at}`, at])),
];

/** What structured clone keeps and JSON does not. */
const RICH_VALUES: readonly unknown[] = [
  new Uint8Array([0, 1, 127, 128, 255]),
  new Uint8Array(0),
  new Uint8Array(100_000).fill(200),
  new Uint8Array([9, 1, 2, 3, 9]).subarray(1, 4),
  new Date(0),
  new Date(-1),
  new Date(8_640_000_000_000_000),
  new Map<unknown, unknown>([
    ['a', 1],
    [2, { b: new Map([['c', new Date(1)]]) }],
    [null, undefined],
  ]),
  new Map(),
  new Set<unknown>([1, 'a', null, [2]]),
  new Set(),
  0n,
  123456789012345678901234567890n,
  -1n,
  [undefined],
  [1, undefined, null, undefined],
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
  { deep: [{ zero: -0, bytes: new Uint8Array([1]), proto: withProto(1n) }] },
  withProto(new Uint8Array([1])),
  { text: 'lone \ud800', big: 1n, '\udc00': '' },
  { nested: nested(100), big: 1n },
];

class Point {
  x = 1;
}

/** Things that are not data, each with what makes it so. */
function notData(): [what: string, value: unknown, hidden?: () => number][] {
  let calls = 0;
  const counted = () => calls;
  const cycle: Record<string, unknown> = {};
  cycle.self = { back: [cycle] };
  const mapCycle = new Map<string, unknown>();
  mapCycle.set('self', mapCycle);
  const getter = {
    get content() {
      calls++;
      return SECRET;
    },
  };
  const setter = {
    set content(_: unknown) {
      calls++;
    },
  };
  const arrayGetter: unknown[] = [];
  Object.defineProperty(arrayGetter, 0, {
    get: () => {
      calls++;
      return SECRET;
    },
    enumerable: true,
  });
  class Listed {
    [Symbol.iterator](): Iterator<unknown> {
      calls++;
      return [].values();
    }
  }
  const traps = new Proxy({}, { get: () => void calls++ });
  const transferred = new Uint8Array([1]);
  structuredClone(transferred, { transfer: [transferred.buffer] });
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  return [
    ['a function', () => SECRET],
    ['a method', { toJSON: () => SECRET }],
    ['an async function', async () => SECRET],
    ['a class', Point],
    ['a symbol', Symbol(SECRET)],
    ['a key that is a symbol', { [Symbol('key')]: SECRET }],
    ['an instance of a class', new Point()],
    ['an instance of a subclass of Map', new (class extends Map {})()],
    ['an instance of a subclass of Date', new (class extends Date {})()],
    ['an instance of a subclass of Array', new (class extends Array {})()],
    ['an object with a made-up prototype', Object.create({ inherited: SECRET })],
    ['an error', new Error(SECRET)],
    ['a regular expression', /a/],
    ['a promise', Promise.resolve(SECRET)],
    ['a weak map', new WeakMap()],
    ['a getter', getter, counted],
    ['a setter', setter, counted],
    ['a getter in an array', arrayGetter, counted],
    ['a proxy', new Proxy({ content: SECRET }, {})],
    ['a proxy of an array', new Proxy([SECRET], {})],
    ['a cycle', cycle],
    ['a cycle in a map', mapCycle],
    ['a Map without a prototype', Object.setPrototypeOf(new Map([[SECRET, 1]]), null)],
    [
      'a Map made an instance of a class',
      Object.setPrototypeOf(new Map([[SECRET, 1]]), Listed.prototype),
      counted,
    ],
    ['an object that inherits from a proxy', Object.create(new Proxy({}, traps)), counted],
    ['bytes that were transferred', transferred],
    ...(rawJSON ? [['a number in its own words', rawJSON('12345678901234567890')] as [string, unknown]] : []),
    ['a hidden property', Object.defineProperty({}, 'hidden', { value: SECRET, enumerable: false })],
  ];
}

/** Keys with escapes in their text, which engines are known to mix up between objects that are otherwise alike. */
const ESCAPED_KEYS = ['\\', '\n', '"', '\0', '\t', '\ud800', '\udfff', 'a"b', 'a\\b', '\\"', '":'];

export const valueCases = [
  promise('VAL-1', 'keys with escapes are told apart, though all else is alike', async (bench) => {
    const session = await bench.session();
    const items = ESCAPED_KEYS.flatMap((key) => [
      { a: 1, [key]: 2 },
      { a: 1, b: { [key]: [key] }, big: 1n },
    ]);
    await session.addItems(items);
    for (let round = 0; round < 3; round++) {
      const found = (await session.getItems()) as object[];
      same(
        found.map((item) => Object.keys(item)),
        items.map((item) => Object.keys(item)),
        'The keys',
      );
      same(found, items, 'The items');
    }
  }),

  promise('VAL-1', 'every JSON value comes back equal, its keys in order', async (bench) => {
    const session = await bench.session();
    for (const value of JSON_VALUES) {
      const item = { role: 'user', content: value };
      await session.addItems([item]);
      const [found] = await session.getItems(1);
      same(found, item, `The value ${inspect(value, { depth: 1 }).slice(0, 80)}`);
      same(JSON.stringify(found), JSON.stringify(item), 'Its keys are in the same order');
    }
    const all = JSON_VALUES.map((value) => ({ role: 'user', content: value }));
    same(await session.getItems(), all, 'All of them together');
  }),

  promise('VAL-1', 'an item may be any JSON value itself', async (bench) => {
    const session = await bench.session();
    await session.addItems([...JSON_VALUES]);
    same(await session.getItems(), JSON_VALUES, 'Read');
    for (const value of JSON_VALUES.toReversed()) same(await session.popItem(), value, 'Popped');
  }),

  promise('VAL-2', 'what structured clone keeps comes back equal', async (bench) => {
    const session = await bench.session();
    for (const value of RICH_VALUES) {
      await session.addItems([{ role: 'tool', content: value }]);
      const found = await session.getItems(1);
      same(
        found,
        [{ role: 'tool', content: value }],
        `The value ${inspect(value, { depth: 1 }).slice(0, 80)}`,
      );
    }
    same(
      await session.getItems(),
      RICH_VALUES.map((content) => ({ role: 'tool', content })),
      'All together',
    );
    same(await session.popItem(), { role: 'tool', content: RICH_VALUES.at(-1) }, 'Popped');
  }),

  promise(
    'VAL-2',
    'a Node.js Buffer comes back as the bytes that it shows, and not as a Buffer',
    async (bench) => {
      const session = await bench.session();
      const pool = Buffer.from(`${SECRET}abc${SECRET}`);
      await session.addItems([{ bytes: pool.subarray(SECRET.length, SECRET.length + 3) }]);
      same(await session.getItems(), [{ bytes: new Uint8Array([97, 98, 99]) }], 'The bytes');
      const [record] = await bench.backdoor.records(session.sessionId);
      for (const encoding of ['utf8', 'base64', 'hex'] as const) {
        holds(
          !record!.includes(Buffer.from(SECRET).toString(encoding).slice(0, 12)),
          'None of its neighbours in memory',
        );
      }
    },
    'records',
  ),

  promise('VAL-2', 'a property that is undefined comes back so or not at all', async (bench) => {
    const session = await bench.session();
    await session.addItems([{ a: 1, b: undefined, c: { d: undefined } }]);
    const [found] = (await session.getItems()) as { a: number; b?: unknown; c: { d?: unknown } }[];
    same([found!.a, found!.b, found!.c.d], [1, undefined, undefined], 'Neither null nor an error');
  }),

  promise('VAL-3', 'what is not data is refused, unread, with nothing written', async (bench) => {
    const session = await bench.session();
    for (const [what, value, calls] of notData()) {
      for (const item of [
        { content: value },
        { content: [{ deep: value }] },
        { content: new Map([['k', value]]) },
      ]) {
        const error = await refused(
          session.addItems([{ a: 1 }, item]),
          'INVALID_ITEM',
          `An item with ${what}`,
        );
        same(error.index, 1, `The index of the item with ${what}`);
        const said = `${error.message} ${error.path} ${inspect(error.cause)}`;
        holds(!said.includes(SECRET), `No content is told of ${what}`, said);
      }
      if (calls) same(calls(), 0, `The code of ${what} does not run`);
    }
    same(await session.getItems(), [], 'Nothing was written');
  }),

  promise(
    'VAL-4',
    'items of JSON values are stored as plain JSON text',
    async (bench) => {
      const session = await bench.session();
      const items = JSON_VALUES.map((content) => ({ role: 'user', content }));
      await session.addItems(items);
      const records = await bench.backdoor.records(session.sessionId);
      same(
        records.map((record) => JSON.parse(record) as unknown),
        items,
        'A JSON reader reads them',
      );
    },
    'records',
  ),

  promise(
    'VAL-5',
    'an item that is read and added again is the same item',
    async (bench) => {
      const session = await bench.session();
      const items = [...JSON_VALUES, ...RICH_VALUES].map((content) => ({ content }));
      await session.addItems(items);
      const copy = await bench.session();
      await copy.addItems(await session.getItems());
      same(await copy.getItems(), items, 'After two trips');
      same(
        await bench.backdoor.records(copy.sessionId),
        await bench.backdoor.records(session.sessionId),
        'And stored as the same text',
      );
    },
    'records',
  ),
];
