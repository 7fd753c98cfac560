import { describe, expect, it } from 'vitest';
import { checkSessionId, escapeId } from '../src/store.ts';
import { Random } from './support/random.ts';
import { thrownBy } from './support/sessions.ts';

describe('checkSessionId', () => {
  it.each([
    'a',
    ' ',
    'a:b',
    '{tag}',
    '*',
    '$ne',
    '\0',
    '\ud800',
    '漢字',
    'x'.repeat(1_000),
    '0',
    '__proto__',
  ])('ID-3 takes %j as it is', (id) => {
    expect(checkSessionId(id)).toBe(id);
  });

  it.each([
    '',
    undefined,
    null,
    0,
    1,
    true,
    {},
    { $ne: null },
    { toString: () => 'a' },
    ['a'],
    Symbol('a'),
    Object('a'),
    () => 'a',
  ])('ID-1 refuses case %#', (id) => {
    expect(thrownBy(() => checkSessionId(id))).toMatchObject({
      code: 'INVALID_SESSION_ID',
      retryable: false,
    });
  });
});

const RESERVED = [':', '{', '}', '*', '[', ']', '$', '.', '/', ' ', '\0', ';', '漢', '\u{1f600}'];

describe('escapeId', () => {
  it.each(['a', 'thread-1', 'user@example.com', 'x'.repeat(1_000), '漢字', '\u{1f600}', 'a:b', ''])(
    'ID-3 leaves %j as it is, where nothing is reserved',
    (id) => {
      expect(escapeId(id)).toBe(id);
    },
  );

  it('ID-3 keeps apart what UTF-8 would make the same', () => {
    const ids = ['\ud800', '\ud801', '\udc00', '\ufffd', '\ud800\ud800', '\udc00\ud800', '\ud800\udc00'];
    expect(new Set(ids.map((id) => escapeId(id))).size).toBe(ids.length);
    for (const id of ids) expect(escapeId(id).isWellFormed()).toBe(true);
  });

  it('ID-3 keeps apart an id and the escaped form of another', () => {
    const ids = ['a:b', 'a%3a;b', 'a%253a;b', 'a%25;3a;b', '%', '%25;', '%25', '%%', ':', '%3a', '%3a;'];
    expect(new Set(ids.map((id) => escapeId(id, [':']))).size).toBe(ids.length);
  });

  it('ID-3 keeps apart a reserved character and another with what follows it', () => {
    // U+03AB, whose number begins as that of ":" does.
    expect(escapeId(':b', [':', '\u03ab'])).not.toBe(escapeId('\u03ab', [':', '\u03ab']));
    expect(escapeId('%5', ['\u0255'])).not.toBe(escapeId('\u0255', ['\u0255']));
  });

  it('ID-3 keeps ("a", "b:c") and ("a:b", "c") apart when they are joined', () => {
    const join = (...parts: string[]) => parts.map((part) => escapeId(part, [':'])).join(':');
    expect(join('a', 'b:c')).not.toBe(join('a:b', 'c'));
    expect(join('a:b', 'c').split(':')).toHaveLength(2);
  });

  it('SEC-2 leaves none of the reserved characters', () => {
    // `;` ends an escape itself, so no store can reserve it.
    const reserved = RESERVED.filter((character) => character !== ';');
    const escaped = escapeId(`a${reserved.join('b')}c`, reserved);
    for (const character of reserved) expect(escaped).not.toContain(character);
  });

  it('ID-3 gives 20,000 random ids as many well-formed texts', () => {
    const random = new Random(3);
    const alphabet = [
      'a',
      '2',
      '5',
      '3',
      'd',
      '8',
      '0',
      '%',
      ';',
      ':',
      '{',
      '\ud800',
      '\udc00',
      '\u{1f600}',
      '\0',
    ];
    const reserved = [':', '{', '\0'];
    const texts = new Map<string, string>();
    for (let round = 0; round < 20_000; round++) {
      const id = random.next() < 0.8 ? random.list(6, () => random.pick(alphabet)).join('') : random.text();
      const escaped = escapeId(id, reserved);
      expect(escaped.isWellFormed()).toBe(true);
      expect(texts.get(escaped) ?? id, `${JSON.stringify(id)} → ${escaped}`).toBe(id);
      texts.set(escaped, id);
    }
    expect(texts.size).toBeGreaterThan(5_000);
  });
});
