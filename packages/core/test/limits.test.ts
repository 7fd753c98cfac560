import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeItems, MAX_BATCH_BYTES, MAX_BATCH_ITEMS, MAX_ITEM_BYTES } from '../src/store.ts';
import { thrownBy } from './support/sessions.ts';
import { CHARACTERS, MIB, textOf } from './support/values.ts';

describe('the largest item', () => {
  it('ADD-3 has 32 MiB, and the largest batch 64 MiB', () => {
    expect([MAX_ITEM_BYTES, MAX_BATCH_BYTES]).toEqual([32 * MIB, 64 * MIB]);
  });

  it.each(CHARACTERS)('ADD-3 is taken up to its last byte, of %s', (_, character) => {
    const item = textOf(MAX_ITEM_BYTES, character);
    const [record] = encodeItems([item]);
    expect(Buffer.byteLength(record!)).toBe(MAX_ITEM_BYTES);
    expect(decodeRecord(record!) === item).toBe(true);
  });

  it.each(CHARACTERS)('ADD-8 is refused with one byte more, of %s, by its index', (_, character) => {
    const error = thrownBy(() => encodeItems(['fine', textOf(MAX_ITEM_BYTES + 1, character)]));
    expect(error).toMatchObject({ code: 'ITEM_TOO_LARGE', index: 1, retryable: false });
    expect((error as Error).message).toContain(String(MAX_ITEM_BYTES));
    expect((error as Error).message.length).toBeLessThan(300);
  });

  it('ADD-3 ADD-8 is counted as it is stored, for values beyond JSON', () => {
    const item = (bytes: number) => new Map([['n', 'a'.repeat(bytes)]]);
    const overhead = encodeItems([item(0)])[0]!.length;
    const [record] = encodeItems([item(MAX_ITEM_BYTES - overhead)]);
    expect(record).toHaveLength(MAX_ITEM_BYTES);
    expect(thrownBy(() => encodeItems([item(MAX_ITEM_BYTES - overhead + 1)]))).toMatchObject({
      code: 'ITEM_TOO_LARGE',
      index: 0,
    });
  });

  it.each<[string, () => unknown]>([
    ['a string that no text can hold', () => [new Array(20).fill('\0'.repeat(20 * MIB))]],
    ['bytes', () => new Uint8Array(40 * MIB)],
    ['a buffer', () => [new ArrayBuffer(40 * MIB)]],
    ['a view of a buffer', () => [new DataView(new ArrayBuffer(40 * MIB))]],
    // Just more than fit, at two bytes each; a longer one would take the test itself far too long to build.
    ['a long array', () => new Array(17 * MIB).fill(0)],
    ['a long key', () => ({ ['k'.repeat(40 * MIB)]: 1 })],
  ])('ADD-8 is not %s', (_, make) => {
    const item = make();
    expect(thrownBy(() => encodeItems([item]))).toMatchObject({ code: 'ITEM_TOO_LARGE', index: 0 });
  });

  it.each<[string, (inner: unknown) => unknown, unknown]>([
    ['arrays', (inner) => [inner, inner], 0],
    ['objects', (inner) => ({ a: inner, b: inner }), 0],
    ['Maps', (inner) => new Map([[inner, inner]]), 0],
    ['Sets', (inner) => new Set([[inner, inner]]), 0],
    ['arrays of nothing', (inner) => [inner, inner], []],
    ['arrays of empty strings', (inner) => [inner, inner], ''],
    ['objects with empty keys', (inner) => ({ '': [inner, inner] }), ''],
  ])('ADD-8 is not a few %s that are shared a million million times', (_, wrap, innermost) => {
    let item: unknown = wrap(innermost);
    for (let level = 0; level < 40; level++) item = wrap(item);
    // Walked to its end this would take longer than any test runs.
    expect(thrownBy(() => encodeItems(['fine', item]))).toMatchObject({ code: 'ITEM_TOO_LARGE', index: 1 });
  });
});

describe('the largest batch', () => {
  it.each(CHARACTERS.slice(0, 4))(
    'ADD-3 ADD-8 is taken up to its last byte and no further, of %s',
    (_, character) => {
      const half = textOf(MAX_ITEM_BYTES, character);
      const records = encodeItems([half, half]);
      expect(records.map((record) => Buffer.byteLength(record))).toEqual([MAX_ITEM_BYTES, MAX_ITEM_BYTES]);
      expect(thrownBy(() => encodeItems([half, half, 1]))).toMatchObject({ code: 'ITEM_TOO_LARGE' });
    },
  );

  it('ADD-8 is not an array of items without number', () => {
    expect(thrownBy(() => encodeItems(new Array(2 ** 32 - 1)))).toMatchObject({ code: 'ITEM_TOO_LARGE' });
    expect(thrownBy(() => encodeItems(new Array(MAX_BATCH_ITEMS + 1).fill(0)))).toMatchObject({
      code: 'ITEM_TOO_LARGE',
    });
  });

  it('ADD-3 takes a million items', () => {
    expect(encodeItems(new Array(MAX_BATCH_ITEMS).fill(0))).toHaveLength(MAX_BATCH_ITEMS);
  });
});
