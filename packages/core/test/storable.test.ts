import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeItems, MAX_DEPTH } from '../src/store.ts';
import { thrownBy } from './support/sessions.ts';
import { show } from './support/show.ts';

const SECRET = 'SECRET-CONTENT';

/** What refusing the item says, with the item as the third of its batch. */
function refusalOf(item: unknown): unknown {
  return thrownBy(() => encodeItems([{ fine: SECRET }, 'fine', item]));
}

class Thing {
  value = SECRET;
}
class Silent {
  toJSON() {
    return SECRET;
  }
}
class SubMap extends Map<unknown, unknown> {}
class SubSet extends Set<unknown> {}
class SubDate extends Date {}
class SubArray extends Array<unknown> {}
class SubBytes extends Uint8Array {}

/** What a Map, a Set or bytes can be made an instance of. */
class Mine {
  static ran = 0;
  [Symbol.iterator](): Iterator<unknown> {
    Mine.ran++;
    return [].values();
  }
}

/** `JSON.rawJSON`, which this version of TypeScript's library does not know. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** A view whose bytes another owner has now. */
function handedOver(view: Uint8Array): Uint8Array {
  structuredClone(view, { transfer: [view.buffer as ArrayBuffer] });
  return view;
}

function cycle(): object {
  const item: { list: unknown[] } = { list: [] };
  item.list.push({ up: item });
  return item;
}

function mapCycle(): Map<string, unknown> {
  const map = new Map<string, unknown>();
  return map.set('self', [map]);
}

const hidden = (owner: object) =>
  Object.defineProperty(owner, 'hidden', { value: SECRET, enumerable: false });

// biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
const HOLED = [1, , SECRET];

const BOXED = [new String(SECRET), new Number(1), new Boolean(true), Object(1n), Object(Symbol(SECRET))];

const REFUSED: Record<string, readonly [item: unknown, path: string]> = {
  undefined: [undefined, ''],
  'a function': [{ call: () => SECRET }, '.call'],
  'a function as an item': [() => SECRET, ''],
  'a class': [{ Thing }, '.Thing'],
  'a symbol': [{ list: [Symbol(SECRET)] }, '.list[0]'],
  'a registered symbol': [Symbol.for(SECRET), ''],
  'a property named by a symbol': [{ deep: { [Symbol('s')]: SECRET } }, '.deep'],
  'an instance of a class': [{ deep: [new Thing()] }, '.deep[0]'],
  'an object made from another': [Object.create({ inherited: SECRET }) as object, ''],
  'an object whose class answers JSON': [{ a: new Silent() }, '.a'],
  'an object with a `toJSON`': [{ a: { toJSON: () => SECRET } }, '.a.toJSON'],
  'a subclass of Map': [new SubMap([['a', SECRET]]), ''],
  'a subclass of Set': [[new SubSet([SECRET])], '[0]'],
  'a subclass of Date': [{ at: new SubDate() }, '.at'],
  'a subclass of Array': [{ list: SubArray.from([SECRET]) }, '.list'],
  'a subclass of Uint8Array': [{ bytes: new SubBytes(2) }, '.bytes'],
  'an impostor of Map': [Object.create(Map.prototype), ''],
  'an impostor of Date': [Object.create(Date.prototype), ''],
  'an impostor of Uint8Array': [Object.create(Uint8Array.prototype), ''],
  'an impostor of Array': [Object.create(Array.prototype), ''],
  'a hidden property': [{ deep: hidden({ a: 1 }) }, '.deep.hidden'],
  'a hidden element': [Object.defineProperty([1, 2], 1, { enumerable: false }), '[1]'],
  'a proxy of an object': [{ deep: new Proxy({ a: SECRET }, {}) }, '.deep'],
  'a proxy of an array': [{ deep: new Proxy([SECRET], {}) }, '.deep'],
  'a proxy as an item': [new Proxy({ a: SECRET }, {}), ''],
  'a proxy of a Map': [[new Proxy(new Map(), {})], '[0]'],
  'a proxy of a proxy': [[new Proxy(new Proxy({}, {}), {})], '[0]'],
  'a proxy in a Map': [new Map([['a', new Proxy({}, {})]]), '[0]'],
  'a proxy as a key of a Map': [new Map([[new Proxy({}, {}), 1]]), '[0]'],
  'a proxy in a Set': [new Set([new Proxy({}, {})]), '[0]'],
  'a function in a Set': [new Set([1, () => SECRET]), '[1]'],
  'a cycle': [cycle(), '.list[0].up'],
  'a cycle through a Map': [mapCycle(), '[0][0]'],
  'an array with holes': [{ list: HOLED }, '.list'],
  'a long empty array': [{ list: new Array(5) }, '.list'],
  'an array with a named property': [{ list: Object.assign([1], { name: SECRET }) }, '.list'],
  'an array with a hole and a named property': [Object.assign(new Array(1), { name: 1 }), '[0]'],
  'an array with a symbol': [[Object.assign([1], { [Symbol('s')]: SECRET })], '[0]'],
  'a Map with a named property': [Object.assign(new Map(), { name: SECRET }), ''],
  'a Date with a named property': [[Object.assign(new Date(), { name: SECRET })], '[0]'],
  'a Set with a hidden property': [hidden(new Set()), ''],
  'an Error': [{ error: new Error(SECRET) }, '.error'],
  'an AggregateError': [new AggregateError([new Error(SECRET)]), ''],
  'a RegExp': [{ pattern: /SECRET-CONTENT/ }, '.pattern'],
  'a URL': [{ url: new URL(`https://example.com/${SECRET}`) }, '.url'],
  'a string in a box': [[BOXED[0]], '[0]'],
  'a number in a box': [[BOXED[1]], '[0]'],
  'a boolean in a box': [[BOXED[2]], '[0]'],
  'a BigInt in a box': [[BOXED[3]], '[0]'],
  'a symbol in a box': [[BOXED[4]], '[0]'],
  'a Promise': [{ a: Promise.resolve(SECRET) }, '.a'],
  'a WeakMap': [new WeakMap(), ''],
  'a WeakSet': [new WeakSet(), ''],
  'a WeakRef': [new WeakRef({ a: SECRET }), ''],
  'a shared buffer': [new SharedArrayBuffer(4), ''],
  'a generator': [(function* () {})(), ''],
  'the arguments of a function': [
    (function () {
      // biome-ignore lint/complexity/noArguments: an arguments object is what is tested
      return arguments;
    })(),
    '.length',
  ],
  'a number in its own words': [{ n: rawJSON('12345678901234567890') }, '.n'],
  'a Map without a prototype': [[Object.setPrototypeOf(new Map([[1, SECRET]]), null)], '[0]'],
  'a Date without a prototype': [[Object.setPrototypeOf(new Date(), null)], '[0]'],
  'bytes without a prototype': [[Object.setPrototypeOf(new Uint8Array(1), null)], '[0]'],
  'a boxed number without a prototype': [[Object.setPrototypeOf(new Number(1), null)], '[0]'],
  'a Map that was made an instance of a class': [[Object.setPrototypeOf(new Map(), Mine.prototype)], '[0]'],
  'a Set that was made an instance of a class': [[Object.setPrototypeOf(new Set(), Mine.prototype)], '[0]'],
  'bytes that were made an instance of a class': [
    [Object.setPrototypeOf(new Uint8Array(1), Object.create(Mine.prototype))],
    '[0]',
  ],
  'a Map that was made a Set': [[Object.setPrototypeOf(new Map(), Set.prototype)], '[0]'],
  'an object whose prototype is a proxy': [[Object.create(new Proxy({}, {}))], '[0]'],
  'an object whose prototype’s prototype is a proxy': [
    [Object.create(Object.create(new Proxy({}, {})))],
    '[0]',
  ],
  'a Map whose prototype is a proxy': [
    [Object.setPrototypeOf(new Map(), new Proxy(Map.prototype, {}))],
    '[0]',
  ],
  'bytes that were handed to somebody else': [[handedOver(new Uint8Array([1]))], '[0]'],
  'a buffer that was handed to somebody else': [[handedOver(new Uint8Array([1])).buffer], '[0]'],
  'a namespace such as Math': [{ Math }, '.Math.abs'],
  'the global object': [globalThis, ''],
};

describe('what is not data', () => {
  it.each(Object.entries(REFUSED))('VAL-3 ADD-5 refuses %s, by index and path', (name, [item, path]) => {
    const error = refusalOf(item) as Error;
    expect(error).toMatchObject({ code: 'INVALID_ITEM', retryable: false, index: 2 });
    // The global object is refused for whatever comes first in it.
    if (name !== 'the global object') expect(error).toMatchObject({ path });
    expect(error.message).toContain('2');
    expect(error.message).toContain((error as { path?: string }).path);
  });

  it.each(Object.entries(REFUSED))('SEC-1 says nothing of the content of %s', (_, [item]) => {
    const error = refusalOf(item) as Error;
    expect(error.message).not.toContain(SECRET);
    expect(error.stack).not.toContain(SECRET);
    expect((error as Error).cause).toBeUndefined();
  });

  it('VAL-3 names the way to a value under keys of any kind', () => {
    const item = { output: [0, { 'a.b': { '': { $ok: { '\ud800"': [() => 1] } } } }] };
    expect(refusalOf(item)).toMatchObject({ path: '.output[1]["a.b"][""].$ok["\\ud800\\""][0]' });
  });

  it('VAL-3 keeps a path short, however long the keys are', () => {
    const error = refusalOf({ ['k'.repeat(10_000)]: () => 1 }) as Error & { path: string };
    expect(error.path.length).toBeLessThan(300);
    expect(error.message.length).toBeLessThan(600);
  });
});

describe('code of the caller', () => {
  it.each<[string, (calls: () => unknown) => unknown]>([
    ['an object', (get) => Object.defineProperty({}, 'a', { get, enumerable: true })],
    ['an object, hidden', (get) => Object.defineProperty({}, 'a', { get, enumerable: false })],
    ['an object as `toJSON`', (get) => Object.defineProperty({}, 'toJSON', { get, enumerable: true })],
    ['an array', (get) => Object.defineProperty([1, 2], 0, { get, enumerable: true })],
    ['an array as `toJSON`', (get) => Object.defineProperty([1], 'toJSON', { get })],
    ['an array as its iterator', (get) => Object.defineProperty([1], Symbol.iterator, { get })],
    ['a Map as its size', (get) => Object.defineProperty(new Map([[1, 2]]), 'size', { get })],
    ['a Map as its iterator', (get) => Object.defineProperty(new Map([[1, 2]]), Symbol.iterator, { get })],
    ['a Set as its iterator', (get) => Object.defineProperty(new Set([1]), Symbol.iterator, { get })],
    ['a Date as its time', (get) => Object.defineProperty(new Date(), 'toISOString', { get })],
    [
      'an ArrayBuffer as its length',
      (get) => Object.defineProperty(new ArrayBuffer(2), 'byteLength', { get }),
    ],
    [
      'a DataView as its length',
      (get) => Object.defineProperty(new DataView(new ArrayBuffer(2)), 'byteLength', { get }),
    ],
    ['an object as its tag', (get) => Object.defineProperty({}, Symbol.toStringTag, { get })],
    [
      'an object as its constructor',
      (get) => Object.defineProperty({}, 'constructor', { get, enumerable: true }),
    ],
    ['an object as a promise', (get) => Object.defineProperty({}, 'then', { get, enumerable: true })],
  ])('VAL-3 refuses an accessor on %s without calling it', (_, make) => {
    let calls = 0;
    const item = make(() => {
      calls++;
      return 1;
    });
    expect(refusalOf([item])).toMatchObject({ code: 'INVALID_ITEM', index: 2 });
    expect(calls).toBe(0);
  });

  it.each<[string, () => ArrayBufferView]>([
    ['a Uint8Array', () => new Uint8Array([1, 2, 3])],
    ['a Float64Array', () => new Float64Array([1])],
    ['a Buffer', () => Buffer.from([1, 2])],
  ])('VAL-3 never calls an accessor on %s, which hides what the engine knows', (_, make) => {
    let calls = 0;
    const get = () => {
      calls++;
      return 1;
    };
    const item = make();
    for (const name of ['byteLength', 'byteOffset', 'length', 'buffer', 'constructor']) {
      Object.defineProperty(item, name, { get });
    }
    try {
      encodeItems([item]);
    } catch {
      // To refuse it is as good: what counts is that its code did not run.
    }
    expect(calls).toBe(0);
  });

  it('VAL-3 calls no iterator but the engine’s', () => {
    for (const iterable of [new Map(), new Set()])
      refusalOf([Object.setPrototypeOf(iterable, Mine.prototype)]);
    expect(Mine.ran).toBe(0);
  });

  it('VAL-3 calls no trap of a proxy', () => {
    let calls = 0;
    const traps = new Proxy(
      {},
      {
        get: () => {
          calls++;
          return undefined;
        },
      },
    );
    for (const target of [{ a: 1 }, [1], new Map(), new Date()]) {
      const proxy = new Proxy(target, traps);
      for (const deep of [proxy, Object.create(proxy), Object.setPrototypeOf([], proxy)]) {
        expect(refusalOf({ deep })).toMatchObject({ code: 'INVALID_ITEM', path: '.deep' });
      }
    }
    expect(calls).toBe(0);
  });

  it('VAL-3 calls no `toJSON`', () => {
    let calls = 0;
    const toJSON = () => {
      calls++;
      return 1;
    };
    const inherits = Object.create({ toJSON }) as object;
    for (const item of [{ toJSON }, [{ toJSON }], inherits, Object.assign([1], { toJSON })]) {
      expect(refusalOf(item)).toMatchObject({ code: 'INVALID_ITEM', index: 2 });
    }
    expect(calls).toBe(0);
  });
});

describe('what is data all the same', () => {
  const inOtherRealm = (code: string): unknown => runInContext(code, createContext({})) as unknown;

  it.each([
    ['an object', '({ a: { b: [1, "x", null] } })', '{"a":{"b":[1,"x",null]}}'],
    ['an array', '[1, [2], {}]', '[1,[2],{}]'],
    ['a Map', 'new Map([["a", [1]]])', 'Map("a":[1])'],
    ['a Set', 'new Set(["a"])', 'Set("a")'],
    ['a Date', 'new Date(5)', 'Date(5)'],
    ['bytes', 'new Uint8Array([1, 2])', 'Uint8Array(1,2)'],
    ['a buffer', 'new Uint8Array([1, 2]).buffer', 'ArrayBuffer(1,2)'],
    ['a mixture', '({ n: 1n, __proto__: null, d: [new Date(NaN)] })', '{"n":1n,"d":[Date(NaN)]}'],
    ['a key `__proto__`', 'JSON.parse(\'{"__proto__":{"a":1}}\')', '{"__proto__":{"a":1}}'],
  ])('VAL-1 VAL-2 takes %s of another realm', (_, code, expected) => {
    const [record] = encodeItems([inOtherRealm(code)]);
    expect(show(decodeRecord(record!))).toBe(expected);
  });

  it.each([
    ['an instance', 'new (class A { x = 1 })()'],
    ['a subclass of Map', 'new (class M extends Map {})()'],
    ['a subclass of Array', '(class A extends Array {}).from([1])'],
    ['an Error', 'new Error("x")'],
    ['a proxy', 'new Proxy({}, {})'],
    ['a function', '() => 1'],
  ])('VAL-3 refuses %s of another realm', (_, code) => {
    expect(refusalOf([inOtherRealm(code)])).toMatchObject({ code: 'INVALID_ITEM', path: '[0]' });
  });

  it('VAL-1 takes what is shared, but no cycle, as copies', () => {
    const shared = { a: [1] };
    const [record] = encodeItems([{ x: shared, y: [shared, shared] }]);
    const back = decodeRecord(record!) as { x: { a: number[] }; y: { a: number[] }[] };
    expect(back).toEqual({ x: { a: [1] }, y: [{ a: [1] }, { a: [1] }] });
    back.x.a.push(2);
    expect(back.y[0]).toEqual({ a: [1] });
  });

  it('VAL-2 takes what is shared in values beyond JSON', () => {
    const shared = new Date(1);
    const [record] = encodeItems([{ x: shared, y: [shared, new Map([[shared, shared]])] }]);
    expect(show(decodeRecord(record!))).toBe('{"x":Date(1),"y":[Date(1),Map(Date(1):Date(1))]}');
  });

  it('VAL-1 takes frozen and sealed objects', () => {
    const item = Object.freeze({ a: Object.seal([Object.freeze({ b: 1 })]) });
    expect(encodeItems([item])).toEqual(['{"a":[{"b":1}]}']);
  });
});

describe('depth', () => {
  function nested(levels: number, value: unknown, wrap: (inner: unknown) => unknown): unknown {
    let item = value;
    for (let level = 0; level < levels; level++) item = wrap(item);
    return item;
  }

  it.each<[string, (inner: unknown) => unknown]>([
    ['arrays', (inner) => [inner]],
    ['objects', (inner) => ({ inner })],
    ['Maps', (inner) => new Map([['a', inner]])],
    ['keys of Maps', (inner) => new Map([[inner, 'a']])],
    ['Sets', (inner) => new Set([inner])],
  ])('VAL-3 takes 1,000 levels of %s and refuses more', (_, wrap) => {
    expect(MAX_DEPTH).toBe(1_000);
    const deepest = nested(MAX_DEPTH, 'core', wrap);
    const [record] = encodeItems([deepest]);
    expect(show(decodeRecord(record!))).toBe(show(deepest));
    expect(refusalOf(nested(MAX_DEPTH + 1, 'core', wrap))).toMatchObject({ code: 'INVALID_ITEM', index: 2 });
  });

  it.each<[string, unknown]>([
    ['JSON', nested(MAX_DEPTH, 'core', (inner) => [inner])],
    ['values beyond it', nested(MAX_DEPTH, 1n, (inner) => [inner])],
  ])('ADD-5 refuses in its own words what the caller left too little stack for, of %s', (_, item) => {
    const deepest = (): number => {
      try {
        return deepest() + 1;
      } catch {
        return 0;
      }
    };
    const below = <T>(frames: number, act: () => T): T => (frames > 0 ? below(frames - 1, act) : act());
    const frames = deepest();
    const attempt = (): unknown => {
      try {
        encodeItems([item]);
        return 'taken';
      } catch (error) {
        return (error as { code?: string }).code ?? error;
      }
    };
    // How much a frame takes changes as the engine optimises, so the first depth that is too much is looked for.
    let outcome: unknown = 'taken';
    for (let percent = 30; outcome === 'taken' && percent < 100; percent++) {
      outcome = below(Math.floor((frames * percent) / 100), attempt);
    }
    expect(outcome).toBe('INVALID_ITEM');
  });

  it('VAL-3 counts the levels of what is shared wherever it stands', () => {
    const shared = nested(600, 'core', (inner) => [inner]);
    const item = [shared, nested(399, shared, (inner) => [inner])];
    expect(encodeItems([item])).toHaveLength(1);
    expect(refusalOf([item])).toMatchObject({ code: 'INVALID_ITEM', index: 2 });
  });

  it('VAL-3 refuses 1,000,000 levels without running out of stack', () => {
    expect(refusalOf(nested(1_000_000, 'core', (inner) => [inner]))).toMatchObject({ code: 'INVALID_ITEM' });
  });
});
