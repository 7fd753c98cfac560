import { SESSION_ERROR_CODES } from '@sessions/core';
import { expect, test } from 'vitest';
import { documents } from '../src/repository.ts';
import { explainedCodes } from '../src/troubleshooting.ts';

test('each error code has its section, and no code that there is not', () => {
  const { text } = documents().find(({ path }) => path === 'docs/troubleshooting.md')!;
  const explained = explainedCodes(text);
  expect(explained.map(({ code }) => code).sort()).toEqual([...SESSION_ERROR_CODES].sort());
  expect(explained.filter(({ meaning, remedy }) => meaning === '' || remedy === '')).toEqual([]);
});

test('a section counts with its meaning and its remedy, within the chapter of codes', () => {
  const lines = [
    ...['# A', '### `BEFORE`', 'x', '## By code', 'x', '### `ONE`', '', 'It means', 'this.', ''],
    ...['| a |', '', '**What to do.** Do', 'that.', '', 'More.', '### `TWO`', '', '### `THREE`', 'That.'],
    ...['## Without a code', '### `AFTER`', 'x'],
  ];
  expect(explainedCodes(lines.join('\n'))).toEqual([
    { code: 'ONE', meaning: 'It means\nthis.', remedy: 'Do\nthat.' },
    { code: 'TWO', meaning: '', remedy: '' },
    { code: 'THREE', meaning: 'That.', remedy: '' },
  ]);
});
