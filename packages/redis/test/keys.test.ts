import { expect, test } from 'vitest';
import { sessionKeys } from '../src/keys.ts';

const PARTS = [
  'a',
  'b',
  ':',
  '{',
  '}',
  '%',
  '%7b;',
  ';',
  'items',
  '\ud800',
  '\udc00',
  '\ufffd',
  '*',
  '\0',
  'é',
];

test('ID-3 no two pairs of prefix and id share a key', () => {
  const texts = [...PARTS, ...PARTS.flatMap((one) => PARTS.map((other) => one + other))];
  const seen = new Map<string, string>();
  for (const prefix of ['', ...texts]) {
    for (const id of texts) {
      const { items, version, operations, change, popped } = sessionKeys(prefix, id);
      for (const key of [items, version, operations, change('x'), popped('x')]) {
        const bytes = Buffer.from(key).toString('latin1');
        const pair = JSON.stringify([prefix, id]);
        expect(seen.get(bytes) ?? pair, `${pair} has a key of its own`).toBe(pair);
        seen.set(bytes, pair);
      }
    }
  }
});
