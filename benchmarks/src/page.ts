import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartOf } from './chart.ts';
import { machine } from './machine.ts';
import { markdownOf } from './markdown.ts';
import type { Report } from './suite.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Writes the page about what was measured, and its chart. */
export function writePage(reports: readonly Report[]): void {
  const page = join(ROOT, 'docs/benchmarks.md');
  writeFileSync(join(ROOT, 'docs/benchmarks.svg'), chartOf(reports));
  writeFileSync(
    page,
    `${[
      '# Benchmarks',
      `Made by \`npm run bench -- --write\`, never by hand. ${new Date().toISOString().slice(0, 10)}, ${machine()}.`,
      'A turn is what a server does for one request: it opens the session, reads the newest 20 items and adds 4. Items are messages of about 200 bytes. All of a row are measured in turn in one process, in short slices; the times are medians, and a figure like 1.50 × (1.40–1.60) is the rate of ours as a multiple of theirs: the median of the rounds, and the middle half of them. What stands in for a server here has other times than the server itself, so compare columns, not stores.',
      'The other libraries keep messages with the same texts, which is less than whole items. Those that read all of a history are given only the newest of what they read. "Torn apart" are turns between whose items there are others\'.',
      '![How long one turn takes, by how long the history is](benchmarks.svg)',
      ...reports.map(markdownOf),
    ].join('\n\n')}\n`,
  );
  // Tables with their columns in line, as in all documents.
  spawnSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', page], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}
