import { describe, expect, test } from 'vitest';
import { LONGEST_PREFIX, partitionOf } from '../src/partition.ts';

const LONG = 'x'.repeat(2_048 - 'p:'.length);

/** Texts that look like each other's parts, escapes and hashes, or differ only where UTF-8 or a limit would hide it. */
const TEXTS = [
  'a',
  'b',
  ':',
  'a:',
  ':a',
  'a:b',
  'b:c',
  '%',
  '%3a;',
  '%25;',
  '%sha256;',
  '\ud800',
  '\ud801',
  '\ufffd',
  'é',
  'e\u0301',
  LONG,
  `${LONG}x`,
  `${LONG}y`,
  `${LONG}\ud800`,
  `${LONG}\ud801`,
  partitionOf('p', `${LONG}x`).slice('p:'.length),
];

describe('ID-3 partition keys', () => {
  test('no two pairs of prefix and id share one, and none is too long', () => {
    const seen = new Map<string, string>();
    for (const prefix of ['p', '', ...TEXTS.filter((text) => text.length < 100)]) {
      for (const id of TEXTS) {
        const key = partitionOf(prefix, id);
        const pair = JSON.stringify([prefix, id]);
        const bytes = Buffer.from(key);
        expect(bytes.length, pair).toBeLessThanOrEqual(2_048);
        const name = bytes.toString('latin1');
        expect(seen.get(name) ?? pair, `${pair} has a key of its own`).toBe(pair);
        seen.set(name, pair);
      }
    }
  });

  test('a plain id is read as it is, to the last byte that fits', () => {
    expect(partitionOf('my-app', 'user-42')).toBe('my-app:user-42');
    expect(partitionOf('p', LONG)).toBe(`p:${LONG}`);
    expect(partitionOf('p', `${LONG}x`)).toMatch(/^p:%sha256;[0-9a-f]{64}$/);
  });

  test('the longest prefix leaves room for any id, however it is written', () => {
    for (const character of ['p', '%', '\ud800', '\uffff'])
      expect(Buffer.byteLength(partitionOf(character.repeat(LONGEST_PREFIX), LONG))).toBeLessThanOrEqual(
        2_048,
      );
  });
});
