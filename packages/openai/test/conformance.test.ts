import { selectCases } from '@sessions/conformance';
import { conformanceTests } from '@sessions/conformance/vitest';
import { expect, test } from 'vitest';
import { startOpenAIAdapter } from './adapter.ts';
import { gaps } from './gaps.ts';

conformanceTests('openai', startOpenAIAdapter);

test('each declared gap is about a case that there is', () => {
  const cases = selectCases();
  const idle = gaps.filter(
    ({ clause, title }) => !cases.some((one) => one.clause === clause && (title ?? one.title) === one.title),
  );
  expect(idle).toEqual([]);
});
