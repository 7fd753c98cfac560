import { expect, test } from 'vitest';
import { readJson } from '../src/store/read-json.ts';

const KEYS = [
  '\\',
  '\n',
  '"',
  '\0',
  '\ud800',
  '\udc00',
  'a"b',
  ':',
  '":',
  '\\":',
  'plain',
  '',
  '__proto__',
  '\u2028',
  '1',
];

test('VAL-1 objects that differ in an escaped key only are told apart, whichever the engine met before', () => {
  for (const first of KEYS) {
    for (const second of KEYS) {
      for (const key of [first, second]) {
        const value = Object.fromEntries([
          ['a', 1],
          [key, [{ [key]: `"${key}": x` }]],
        ]);
        const text = JSON.stringify(value);
        expect(JSON.stringify(readJson(text))).toBe(text);
      }
    }
  }
});

test('VAL-1 strings that look like keys stay as they are', () => {
  const call = {
    arguments: JSON.stringify({ 'a"b': '\\": ', country: 'France' }),
    text: 'he said: "x\\": 1',
  };
  for (const indent of [undefined, 2]) {
    expect(readJson(JSON.stringify([call, { '\t': call }], undefined, indent))).toEqual([
      call,
      { '\t': call },
    ]);
  }
});

test('damaged text is an error', () => {
  for (const text of ['', '{"a\\', '{"a\\n":', '{"\\":1', '[1,'])
    expect(() => readJson(text)).toThrow(SyntaxError);
});
