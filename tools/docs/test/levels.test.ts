import { LEVELS } from '@sessions/conformance';
import { expect, test } from 'vitest';
import { documents } from '../src/repository.ts';

test('the levels mean in the document what they mean in the report', () => {
  const { text } = documents().find(({ path }) => path === 'docs/your-own-store.md')!;
  const rows = LEVELS.map(({ level, means }) => `| ${level} | ${means} |`);
  // The formatter pads the cells of tables.
  expect(text.replace(/ {2,}/g, ' ')).toContain(rows.join('\n'));
});
