import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readMutations } from '../src/store/arguments.ts';
import { Copy } from '../src/store/copies.ts';
import { rewriteCalls } from '../src/store/rewrite.ts';
import { COPIES, encodeAll, encodeItems, MAX_ITEM_BYTES } from '../src/store.ts';
import { Random } from './support/random.ts';
import { thrownBy } from './support/sessions.ts';
import { show } from './support/show.ts';
import { CHARACTERS, JSON_VALUES, MIB, RICH_VALUES, textOf } from './support/values.ts';

const encode = (item: unknown): Copy | string => encodeAll([item], COPIES)[0]!;
const textOfItem = (item: unknown): string => encodeItems([item])[0]!;

describe('items that are kept as copies', () => {
  it.each(Object.entries(JSON_VALUES))('VAL-1 VAL-4 bring back %s, and are the same text', (_, item) => {
    const record = encode(item);
    expect(record).toBeInstanceOf(Copy);
    expect(show(COPIES.decode(record))).toBe(show(item));
    expect(COPIES.text(record)).toBe(textOfItem(item));
  });

  it.each(Object.entries(RICH_VALUES))('VAL-2 bring back %s', (_, item) => {
    const record = encode(item);
    expect(show(COPIES.decode(record))).toBe(show(item));
    expect(COPIES.text(record)).toBe(textOfItem(item));
  });

  it('VAL-1 ADD-8 bring back 500 random values, of which none is larger than it is said to be', () => {
    const random = new Random(3);
    for (let round = 0; round < 500; round++) {
      const item = random.json();
      const record = encode(item);
      expect(show(COPIES.decode(record)), `round ${round}`).toBe(show(item));
      expect(COPIES.text(record), `round ${round}`).toBe(textOfItem(item));
      expect(COPIES.mostBytes(record), `round ${round}`).toBeGreaterThanOrEqual(
        Buffer.byteLength(COPIES.text(record)),
      );
    }
  });

  it.each<[string, unknown]>([
    ['the longest numbers', [-0.0000012345678901234567, -1.7976931348623157e308, -5e-324]],
    ['the longest characters', { ['\0'.repeat(1_000)]: '\ud800'.repeat(1_000) }],
    ['nothing but commas and quotes', { '': ['', '', ''], a: [{}, {}, [], []] }],
    ['numbers and nothing else', new Array(1_000).fill(-0.0000012345678901234567)],
  ])('ADD-8 are not larger than they are said to be, made of %s', (_, item) => {
    const record = encode(item);
    expect(record).toBeInstanceOf(Copy);
    expect(COPIES.mostBytes(record)).toBeGreaterThanOrEqual(Buffer.byteLength(COPIES.text(record)));
  });

  it('VAL-1 keep `__proto__` an own property, and the prototype as it is', () => {
    const item = JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":null}}') as unknown;
    const back = COPIES.decode(encode(item)) as { admin?: boolean };
    expect(show(back)).toBe(show(item));
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(back.admin).toBeUndefined();
  });

  it('VAL-2 have no property that is undefined, as text has none', () => {
    const back = COPIES.decode(encode({ a: 1, b: undefined, c: { d: undefined } }));
    expect(show(back)).toBe('{"a":1,"c":{}}');
  });

  it('VAL-1 make arrays and objects of this realm of those of another', () => {
    const back = COPIES.decode(encode(runInNewContext('[[1], { a: [] }]'))) as unknown[];
    expect(back).toEqual([[1], { a: [] }]);
    expect(back).toBeInstanceOf(Array);
    expect(back[0]).toBeInstanceOf(Array);
    expect(back[1]).toBeInstanceOf(Object);
  });

  it('VAL-5 ISO-1 are nobody else’s, neither who added them nor who read them', () => {
    const item = { list: [1], in: { it: [{ a: 1 }] } };
    const record = encode(item);
    const change = (changed: typeof item) => {
      changed.list.push(2);
      changed.in.it[0]!.a = 2;
    };
    change(item);
    const first = COPIES.decode(record) as typeof item;
    expect(first).toEqual({ list: [1], in: { it: [{ a: 1 }] } });
    change(first);
    expect(COPIES.decode(record)).toEqual({ list: [1], in: { it: [{ a: 1 }] } });
  });

  it('VAL-1 hold what is shared once for each time that it is there, as text does', () => {
    const shared = { a: 1 };
    const back = COPIES.decode(encode([shared, shared])) as { a: number }[];
    back[0]!.a = 2;
    expect(back).toEqual([{ a: 2 }, { a: 1 }]);
  });
});

describe('a rewrite of copies', () => {
  const call = (callId: string, args = '{}') => ({ type: 'function_call', callId, arguments: args });
  const rewrite = (callId: string, replacement: unknown) => {
    const records = encodeAll([{ a: 1 }, call('one'), call('two')], COPIES);
    const mutations = [{ type: 'replace_function_call', callId, replacement }];
    const history = { records, items: records.map(COPIES.decode) };
    return rewriteCalls(history, readMutations({ mutations }, COPIES), COPIES);
  };

  it('RWR-1 is no change if it puts the same in the place of a call', () => {
    expect(rewrite('one', call('one'))).toBeUndefined();
  });

  it('RWR-1 writes again what follows the first call that is another', () => {
    const { drop, add } = rewrite('one', call('one', '{"a":1}'))!;
    expect(drop).toBe(2);
    expect(add.map(COPIES.decode)).toEqual([call('one', '{"a":1}'), call('two')]);
  });
});

describe('the largest item that is kept as a copy', () => {
  it.each(CHARACTERS)('ADD-3 ADD-8 has the same last byte, of %s', (_, character) => {
    const item = [textOf(MAX_ITEM_BYTES - 2, character)];
    expect(COPIES.text(encode(item)) === textOfItem(item)).toBe(true);
    const larger = [textOf(MAX_ITEM_BYTES - 1, character)];
    expect(thrownBy(() => encodeAll(['fine', larger], COPIES))).toMatchObject({
      code: 'ITEM_TOO_LARGE',
      index: 1,
    });
  });

  it('ADD-8 is not a list of empty strings that is shared a million times', () => {
    let item: unknown = new Array(1_000).fill('');
    for (let level = 0; level < 2; level++) item = new Array(1_000).fill(item);
    expect(thrownBy(() => encode(item))).toMatchObject({ code: 'ITEM_TOO_LARGE', index: 0 });
  });

  it('ADD-3 ADD-8 leaves a batch the same last byte', () => {
    const most = textOf(4 * MIB, 'a');
    const copies = new Array<string>(16).fill(most);
    expect(encodeAll(copies, COPIES).every((record) => record instanceof Copy)).toBe(true);
    expect(thrownBy(() => encodeAll([...copies, 1], COPIES))).toMatchObject({ code: 'ITEM_TOO_LARGE' });
  });
});
