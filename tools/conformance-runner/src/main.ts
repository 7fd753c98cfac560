import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ConformanceReport, countResults, formatReports, runConformance } from '@sessions/conformance';
import { ADAPTERS } from './adapters.ts';

const USAGE = `usage: npm run conformance -- [adapter…] [--json FILE]
Runs every case of the kit on the adapters named (${Object.keys(ADAPTERS).join(', ')}; all by default).
Exit code: 0 all cases passed, 1 some failed, 2 the kit could not run.`;

class UsageError extends Error {}

function readArguments(): { names: string[]; json: string | undefined; help: boolean } {
  try {
    const { values, positionals } = parseArgs({
      // pnpm hands over its own separator as an argument.
      args: process.argv.slice(2).filter((argument) => argument !== '--'),
      options: { json: { type: 'string' }, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const unknown = positionals.find((name) => !Object.hasOwn(ADAPTERS, name));
    if (unknown !== undefined) {
      const hint = /[./\\]/.test(unknown) ? ' npm takes options for itself unless they come after "--".' : '';
      throw new UsageError(`There is no adapter "${unknown}".${hint}`);
    }
    const names = positionals.length > 0 ? [...new Set(positionals)] : Object.keys(ADAPTERS);
    // Paths are the user's, who is not where the package manager runs this.
    const json = values.json && resolve(process.env.CALLED_FROM ?? '.', values.json);
    return { names, json, help: values.help };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
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
  const { names, json, help } = readArguments();
  if (help) {
    console.log(USAGE);
  } else {
    // Found out before minutes have gone by.
    if (json !== undefined) writeFileSync(json, '');
    const reports: ConformanceReport[] = [];
    for (const name of names) reports.push(await run(name));
    console.log(formatReports(reports));
    if (json !== undefined) {
      writeFileSync(json, `${JSON.stringify(reports, undefined, 2)}\n`);
      console.log(`The report is in ${json}`);
    }
    process.exitCode = reports.some(({ results }) => countResults(results).failed > 0) ? 1 : 0;
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(error instanceof UsageError ? `${message}\n\n${USAGE}` : message);
  process.exitCode = 2;
}
