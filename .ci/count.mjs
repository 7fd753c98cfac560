// Adds up the reports that every package's test run left, and closes with one plain line that says how many passed.
// Plain JavaScript for Node.js 20, as everything that runs before the pinned Node.js is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Every package that has tests, whether or not it left a report. */
function testedPackages() {
  const folders = ['packages', 'tools', 'examples'].flatMap((group) => {
    const path = join(root, group);
    return existsSync(path) ? readdirSync(path).map((name) => join(group, name)) : [];
  });
  return [...folders, 'conformance', 'benchmarks'].filter((folder) => {
    const manifest = join(root, folder, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).scripts?.test !== undefined;
  });
}

/** What a package's test runs may leave, all in the form that Jest made common. */
const REPORTS = ['vitest.json', 'jest.json', 'node-test.json'];

/** What became of each test, where a report says it. */
function resultsOf({ testResults = [] }) {
  return testResults.flatMap(({ assertionResults = [] }) => assertionResults);
}

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const folder of testedPackages()) {
  const paths = REPORTS.map((name) => join(root, folder, 'reports', name)).filter((path) => existsSync(path));
  if (paths.length === 0) {
    console.log(`${folder}: no report; its tests did not run`);
    counts.failed++;
    continue;
  }
  const reports = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const sum = (name) => reports.reduce((total, report) => total + report[name], 0);
  counts.passed += sum('numPassedTests');
  counts.failed += sum('numFailedTests');
  counts.skipped += sum('numPendingTests') + sum('numTodoTests');
  console.log(`${folder}: ${sum('numPassedTests')} of ${sum('numTotalTests')}`);
  for (const { fullName, status, failureMessages = [] } of reports.flatMap(resultsOf))
    if (status === 'failed') console.log(`  failed: ${fullName}: ${failureMessages[0]?.split('\n', 1)[0]}`);
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
