// Adds up the reports that every package's test run left, and closes with the plain line that CI reads.
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

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const folder of testedPackages()) {
  const path = join(root, folder, 'reports', 'vitest.json');
  if (!existsSync(path)) {
    console.log(`${folder}: no report; its tests did not run`);
    counts.failed++;
    continue;
  }
  const report = JSON.parse(readFileSync(path, 'utf8'));
  counts.passed += report.numPassedTests;
  counts.failed += report.numFailedTests;
  counts.skipped += report.numPendingTests + report.numTodoTests;
  console.log(`${folder}: ${report.numPassedTests} of ${report.numTotalTests}`);
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
