import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ConformanceReport, countResults, formatReports, runConformance } from '@sessions/conformance';
import { ADAPTERS } from './adapters.ts';

const USAGE = `usage: pnpm conformance [adapter…] [--json FILE]
Runs every case of the kit on the adapters named (${Object.keys(ADAPTERS).join(', ')}; all by default).
Exit code: 0 all cases passed, 1 some failed, 2 the kit could not run.`;

function readArguments(): { names: string[]; json: string | undefined } {
  const { values, positionals } = parseArgs({
    // pnpm hands over its own separator as an argument.
    args: process.argv.slice(2).filter((argument) => argument !== '--'),
    options: { json: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !Object.hasOwn(ADAPTERS, name));
  if (unknown !== undefined) throw new Error(`There is no adapter "${unknown}".`);
  return { names: positionals.length > 0 ? positionals : Object.keys(ADAPTERS), json: values.json };
}

async function run(name: string): Promise<ConformanceReport> {
  const { adapter, stop } = await ADAPTERS[name]!();
  let done = 0;
  try {
    return await runConformance(adapter, {
      onResult: ({ status, clause, title }) => {
        done++;
        if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${name}: ${done} cases`);
        if (status === 'failed') process.stderr.write(`${name}: FAILED ${clause} ${title}\n`);
      },
    });
  } finally {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    await stop();
  }
}

try {
  const { names, json } = readArguments();
  const reports: ConformanceReport[] = [];
  for (const name of names) reports.push(await run(name));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(reports, undefined, 2)}\n`);
  console.log(formatReports(reports));
  process.exitCode = reports.some(({ results }) => countResults(results).failed > 0) ? 1 : 0;
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  process.exitCode = 2;
}
