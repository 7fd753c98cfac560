import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKS, check, type Verdict } from './check.ts';
import { KB } from './expected.ts';
import { pack } from './pack.ts';
import { table } from './table.ts';
import { publishedPackages } from './workspace.ts';

/** Words that a package's name must hold, to look at a few only. */
const wanted = process.argv.slice(2).filter((argument) => argument !== '--');
const published = publishedPackages();
const chosen = published.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (chosen.length === 0) {
  console.error(
    `No published package is named so. There are ${published.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const started = performance.now();
const parent = mkdtempSync(join(tmpdir(), 'packages-'));
try {
  console.error('Building and packing …');
  const tarballs = await pack(published, parent);
  const verdicts: Verdict[] = [];
  const places = chosen.entries();
  const checkInTurn = async () => {
    for (const [at, one] of places) {
      console.error(`Installing and using ${one.name} …`);
      verdicts[at] = await check(one, tarballs, parent);
    }
  };
  // Two at a time, since each waits for the registry now and then.
  await Promise.all([checkInTurn(), checkInTurn()]);
  report(verdicts);
  const failed = verdicts.flatMap(({ problems }) =>
    [...problems.values()].filter(({ length }) => length > 0),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`\npackages: ${verdicts.length}, failed checks: ${failed.length}, seconds: ${seconds}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  rmSync(parent, { recursive: true, force: true });
}

function report(verdicts: readonly Verdict[]): void {
  const rows = verdicts.map(({ name, problems }) => {
    return [name, ...CHECKS.map((one) => word(problems.get(one)))];
  });
  console.log(`\n${table([['', ...CHECKS], ...rows])}\n`);
  for (const { name, problems } of verdicts) {
    for (const [one, found] of problems) {
      for (const problem of found) console.log(`${name}, ${one}: ${problem}\n`);
    }
  }
  const sizes = verdicts.flatMap((verdict) => {
    return verdict.sizes.map(({ of, own, withCore, limit }) => {
      return [of, kilobytes(own), kilobytes(limit), kilobytes(withCore)];
    });
  });
  console.log(
    table([['minified, gzipped, without driver and core', 'kB', 'at most', 'with the core'], ...sizes]),
  );
  const trees = verdicts.map(({ name, installed }) => [name, String(installed)]);
  console.log(`\n${table([['installed, with its driver', 'packages'], ...trees])}`);
}

function word(problems: readonly string[] | undefined): string {
  if (!problems) return '–';
  return problems.length === 0 ? 'ok' : 'FAILED';
}

function kilobytes(bytes: number | undefined): string {
  return bytes === undefined ? '–' : (bytes / KB).toFixed(1);
}
