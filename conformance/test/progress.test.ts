import { expect, test } from 'vitest';
import { promise } from '../src/case.ts';
import { Progress } from '../src/index.ts';

const tried = promise('ADD-1', 'a title that is longer than any terminal is wide', async () => undefined);
const passed = { ...tried, status: 'passed', ms: 1 } as const;
const failed = { ...tried, status: 'failed', ms: 1 } as const;

function tell(stream: { isTTY?: boolean; columns?: number }): string[] {
  const written: string[] = [];
  {
    using progress = new Progress('mine', 3, { ...stream, write: (text) => written.push(text) });
    for (const result of [passed, failed]) {
      progress.onStart(tried);
      progress.onResult(result);
    }
  }
  return written;
}

test('on a terminal there is one line, which is written over and goes; a failure stays', () => {
  const [first, second, cleared, failure, end] = tell({ isTTY: true, columns: 40 });
  expect(first).toBe('\r\u001b[Kmine: 0 of 3, 0 s: ADD-1 a title that i');
  expect(second).toContain('\r\u001b[Kmine: 1 of 3, 0 s');
  expect(cleared).toBe('\r\u001b[K');
  expect(failure).toBe('mine: FAILED ADD-1 a title that is longer than any terminal is wide\n');
  expect(end).toBe('\r\u001b[K');
});

test('elsewhere there is a line a failure only', () => {
  expect(tell({})).toEqual(['mine: FAILED ADD-1 a title that is longer than any terminal is wide\n']);
});
