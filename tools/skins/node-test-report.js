import { mkdirSync, writeFileSync } from 'node:fs';

/** Leaves the counts of a `node:test` run beside those of the other runners, in their form. */
export default async function* nodeTestReport(events) {
  for await (const { type, data } of events) {
    // Each file has a summary, and so has all of it.
    if (type !== 'test:summary' || data.file !== undefined) continue;
    const { tests, passed, failed, cancelled, skipped, todo } = data.counts;
    const report = {
      numTotalTests: tests,
      numPassedTests: passed,
      numFailedTests: failed + cancelled,
      numPendingTests: skipped,
      numTodoTests: todo,
    };
    mkdirSync('reports', { recursive: true });
    writeFileSync('reports/node-test.json', JSON.stringify(report));
  }
  yield '';
}
