import { expect, test } from 'vitest';
import { change } from '../src/change.ts';
import { missingFrom } from '../src/shown.ts';
import { stepsOf } from '../src/steps.ts';

test('a document is read as steps', () => {
  const lines = [
    ...['```js file=a.mjs', 'let a;', '```', '', '```js', 'not a step', '```'],
    ...['```sh exit=1', 'first', '', 'node a.mjs', '```', 'It prints:', '```text output', 'no', '```'],
    ...['```diff file=a.mjs', '-let a;', '+let b;', '```'],
  ];
  expect(stepsOf(lines.join('\n'))).toEqual([
    { kind: 'write', file: 'a.mjs', text: 'let a;', line: 2 },
    { kind: 'run', command: 'first', exitCode: 0, line: 9 },
    { kind: 'run', command: 'node a.mjs', exitCode: 1, line: 11, shown: 'no' },
    { kind: 'change', file: 'a.mjs', diff: '-let a;\n+let b;', line: 18 },
  ]);
});

test('a mark that is misspelt is refused, and an output that nothing prints', () => {
  expect(() => stepsOf('```js flie=a.mjs\n```')).toThrow("Line 1: 'flie' is no mark of a block");
  expect(() => stepsOf('```text output\n```')).toThrow('Line 1: no command prints this');
});

test('a change is made where it fits once, and nowhere else', () => {
  const text = 'one\ntwo\nthree\nfour\n';
  expect(change(text, ' one\n-two\n+2\n+zwei\n…\n-four')).toBe('one\n2\nzwei\nthree\n\n');
  expect(() => change(text, '-five\n+5')).toThrow('Not there exactly once:\nfive');
  expect(() => change('a\na\n', '-a\n+b')).toThrow('Not there exactly once:\na');
});

test('what is shown is looked for line by line, and may leave out lines and text', () => {
  const printed =
    'noise\n\u001b[31mFAILED\u001b[39m a [x] in 12 ms\n  expected: 1\n  actual:   2\nmore\nend\n';
  expect(missingFrom(printed, 'FAILED a [x] in 3.5 s\n  expected: 1')).toBeUndefined();
  expect(missingFrom(printed, 'FAILED … in 3 s\n…\nend')).toBeUndefined();
  expect(missingFrom(printed, '…\n  actual:   2\n…')).toBeUndefined();
  expect(missingFrom(printed, 'FAILED a [x] in 3 s\n  actual:   2')).toBe('FAILED a [x] in ~\n  actual:   2');
  expect(missingFrom(printed, 'end\n…\nmore')).toBe('more');
  expect(missingFrom(printed, 'FAILED')).toBe('FAILED');
  expect(missingFrom(printed, 'FAILED a .x. in 1 s')).toBe('FAILED a .x. in ~');
});
