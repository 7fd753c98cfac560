import { expect, test } from 'vitest';
import { readMarkdown } from '../src/markdown.ts';

test('code and prose are told apart, on the lines where they stand', () => {
  const { blocks, prose } = readMarkdown(
    [
      '# Title',
      '```ts run',
      'const a = 1;',
      '',
      'const b = 2;',
      '```',
      'Between.',
      '~~~',
      '```',
      '~~~',
      'End.',
    ].join('\n'),
  );
  expect(blocks).toEqual([
    { language: 'ts', flags: ['run'], line: 3, text: 'const a = 1;\n\nconst b = 2;' },
    { language: '', flags: [], line: 9, text: '```' },
  ]);
  expect(prose.split('\n')).toEqual(['# Title', '', '', '', '', '', 'Between.', '', '', '', 'End.']);
});

test('a fence ends with one as long as its own, and a list moves its code to the right', () => {
  const { blocks } = readMarkdown(
    ['````md', '```ts', '```', '````', '- item', '  ```sh', '  npm test', '    more', '  ```'].join('\n'),
  );
  expect(blocks).toEqual([
    { language: 'md', flags: [], line: 2, text: '```ts\n```' },
    { language: 'sh', flags: [], line: 7, text: 'npm test\n  more' },
  ]);
});

test('code in a line is no block, and a block that does not end goes to the end', () => {
  expect(readMarkdown('```not a block``` here').blocks).toEqual([]);
  expect(readMarkdown('```ts\nlet a;').blocks).toEqual([
    { language: 'ts', flags: [], line: 2, text: 'let a;' },
  ]);
});
