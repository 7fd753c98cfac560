import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { StartedAdapter } from '../adapter.ts';
import { CLAUSES, type Clause } from '../clauses.ts';
import { inTime } from '../in-time.ts';
import { formatHtml } from '../report/format-html.ts';
import { formatMarkdown } from '../report/format-markdown.ts';
import { formatFailures, formatReports } from '../report/format-text.ts';
import { type ConformanceReport, exitCodeOf } from '../report/report.ts';
import { type ConformanceOptions, runConformance } from '../run.ts';
import { type CaseSelection, selectCases } from '../select-cases.ts';
import {
  type AdapterSource,
  messageOf,
  START_TIMEOUT_MS,
  startAdapter,
  WrongAdapter,
} from '../start-adapter.ts';
import { KIT_VERSION } from '../version.ts';
import { Interrupted, Interruption } from './interruption.ts';
import { loadAdapter } from './load-adapter.ts';
import { Progress } from './progress.ts';

export interface CommandLine {
  /** How the command is called, for its help. */
  readonly command: string;
  /**
   * Adapters that are known by name. With them, names take the place of files, and none means all of them. A name is also
   * that of all adapters which begin with it and a colon: `store` of `store:engine`.
   */
  readonly adapters?: Readonly<Record<string, AdapterSource>> | undefined;
  /** What paths are relative to; the current folder by default. */
  readonly folder?: string | undefined;
  /** How long an adapter may take to be imported, to start and to stop, in milliseconds each. */
  readonly timeoutMs?: number | undefined;
}

/** The command was called wrongly: the message is one line for whoever called it. */
class UsageError extends Error {}

const FORMATS = {
  json: (reports: readonly ConformanceReport[]) => `${JSON.stringify(reports, undefined, 2)}\n`,
  markdown: formatMarkdown,
  html: formatHtml,
} as const;

type Format = keyof typeof FORMATS;

interface Wanted {
  readonly adapters: readonly {
    readonly name: string;
    readonly load: (timeoutMs: number) => Promise<AdapterSource>;
  }[];
  readonly selection: CaseSelection;
  readonly files: ReadonlyMap<Format, string>;
  readonly quiet: boolean;
}

/**
 * Runs the kit as the command line asks.
 *
 * @param args - what comes after the command
 * @returns the exit code: 0 every case passed, 1 an adapter broke a clause, 2 there was something that could not be
 *   tried, 130 or 143 it was interrupted
 */
export async function runCommandLine(args: readonly string[], line: CommandLine): Promise<number> {
  try {
    const wanted = read(args, line);
    if (typeof wanted === 'string') {
      console.log(wanted);
      return 0;
    }
    return await run(wanted, line);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n"${line.command} --help" says how it is used.`);
    return 2;
  }
}

function read(args: readonly string[], line: CommandLine): Wanted | string {
  const { values, positionals } = parse(args);
  if (values.help) return usage(line);
  if (values.version) return KIT_VERSION;
  const { title, path, soak, quiet } = values;
  const selection = { clauses: values.clause?.map(clauseOf), title, path, soak, seed: seedOf(values.seed) };
  try {
    selectCases(selection);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  const files = new Map<Format, string>();
  for (const format of Object.keys(FORMATS) as Format[]) {
    const file = values[format];
    if (file !== undefined) files.set(format, writable(file, line));
  }
  return { adapters: adaptersOf(positionals, line), selection, files, quiet };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        clause: { type: 'string', multiple: true },
        title: { type: 'string' },
        seed: { type: 'string' },
        path: { type: 'string' },
        soak: { type: 'boolean', default: false },
        json: { type: 'string' },
        markdown: { type: 'string' },
        html: { type: 'string' },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function clauseOf(text: string): Clause {
  const clause = CLAUSES.find((clause) => clause === text.toUpperCase());
  if (clause) return clause;
  throw new UsageError(`There is no clause ${JSON.stringify(text)}. There are ${CLAUSES.join(', ')}.`);
}

function seedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^-?\d+$/.test(text)) throw new UsageError(`A seed is a whole number, not ${JSON.stringify(text)}.`);
  return Number(text);
}

function adaptersOf(
  positionals: readonly string[],
  { adapters, folder = '.' }: CommandLine,
): Wanted['adapters'] {
  if (!adapters) {
    if (positionals.length === 0) throw new UsageError('Which adapter? Name the file that exports it.');
    return positionals.map((name) => ({
      name,
      load: (timeoutMs) => loadAdapter(resolve(folder, name), timeoutMs),
    }));
  }
  const all = Object.entries(adapters);
  if (positionals.length === 0) return all.map(([name, source]) => ({ name, load: async () => source }));
  return [...new Set(positionals)].flatMap((name) => {
    const found = all.filter(([known]) => known === name || known.startsWith(`${name}:`));
    if (found.length > 0) return found.map(([known, source]) => ({ name: known, load: async () => source }));
    const known = Object.keys(adapters).join(', ');
    const hint = /[./\\]/.test(name) ? ' npm takes options for itself unless they come after "--".' : '';
    throw new UsageError(`There is no adapter "${name}", but ${known}.${hint}`);
  });
}

/** Found out before minutes have gone by. */
function writable(file: string, { folder = '.' }: CommandLine): string {
  const path = resolve(folder, file);
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new Error('it is a folder');
    if (!found && !statSync(dirname(path), { throwIfNoEntry: false }))
      throw new Error('its folder does not exist');
    accessSync(found ? path : dirname(path), constants.W_OK);
    return path;
  } catch (error) {
    throw new UsageError(`The report cannot be written to ${file}: ${(error as Error).message}.`);
  }
}

async function run(wanted: Wanted, line: CommandLine): Promise<number> {
  const { selection, files, quiet } = wanted;
  const { command, timeoutMs = START_TIMEOUT_MS } = line;
  using interruption = new Interruption();
  let isWrong = false;
  const tell = (name: string, error: unknown) => {
    isWrong = true;
    console.error(`${name}: ${whyNotTried(error)}`);
  };
  const sources = new Map<string, AdapterSource>();
  for (const { name, load } of wanted.adapters) {
    try {
      sources.set(name, await interruption.orElse(load(timeoutMs)));
    } catch (error) {
      tell(name, error);
    }
  }
  // A file that is wrong is to be put right before minutes go by with the others.
  if (isWrong) return interruption.exitCode ?? 2;
  const cases = selectCases(selection).length;
  const reports: ConformanceReport[] = [];
  for (const [name, source] of sources) {
    const starting = startAdapter(source, timeoutMs);
    try {
      const { adapter } = await interruption.orElse(starting);
      using progress = new Progress(name, cases);
      // A run that was interrupted goes on until the process ends, on an adapter that is being stopped.
      const isToTell = () => !quiet && interruption.exitCode === undefined;
      const options: ConformanceOptions = {
        ...selection,
        command: `${command} ${name}`,
        onStart: (tried) => void (isToTell() && progress.onStart(tried)),
        onResult: (result) => void (isToTell() && progress.onResult(result)),
      };
      reports.push(await interruption.orElse(runConformance(adapter, options)));
    } catch (error) {
      tell(name, error);
    }
    await stopInTime(starting, timeoutMs).catch((error: unknown) => tell(name, error));
    if (interruption.exitCode !== undefined) return interruption.exitCode;
  }
  const code = exitCodeOf(reports);
  const text = quiet ? formatFailures(reports) : formatReports(reports);
  if (text !== '') console.log(text);
  for (const [format, file] of files) {
    writeFileSync(file, FORMATS[format](reports));
    if (!quiet) console.log(`The report as ${format} is in ${file}`);
  }
  return isWrong && code === 0 ? 2 : code;
}

function whyNotTried(error: unknown): string {
  if (error instanceof WrongAdapter) return error.message;
  if (error instanceof Interrupted)
    return 'Interrupted. The adapter is being stopped; a second time ends it at once.';
  return `The kit failed: ${error instanceof Error ? error.stack : error}`;
}

/**
 * Stops an adapter, also one that is still to start: what it began is to be ended too.
 *
 * @throws WrongAdapter
 */
async function stopInTime(starting: Promise<StartedAdapter>, timeoutMs: number): Promise<void> {
  const started = await starting.catch(() => undefined);
  const stopping = (async () => started?.stop())().catch((cause: unknown) => {
    throw new WrongAdapter(`The adapter's stop() failed: ${messageOf(cause)}`, { cause });
  });
  const seconds = timeoutMs / 1000;
  await inTime(stopping, timeoutMs, () => {
    return new WrongAdapter(`The adapter's stop() did not come to an end within ${seconds} s.`);
  });
}

function usage({ command, adapters }: CommandLine): string {
  const [what, which] = adapters
    ? ['[ADAPTER…]', `Adapters: ${Object.keys(adapters).join(', ')}; all by default.`]
    : [
        'FILE…',
        'Each FILE is a module whose default export is an adapter (ConformanceAdapter), { adapter, stop },\n' +
          'or a function that gives either. Several are tried one after another and stand side by side in the report.',
      ];
  return `usage: ${command} ${what} [options]

Holds session adapters to the contract, clause by clause, on their real stores.
${which}

  --clause ID      only the cases of this clause, such as ADD-3; may be given again for more
  --title TITLE    only the case with exactly this title
  --seed N         generate the same histories and races as the run with this seed; a race makes the
                   same calls, but at other moments, so that it may take a few runs to fail again
  --path PATH      with the seed: the one history that a failure names
  --soak           many more and longer histories and races: minutes instead of seconds
  --json FILE      write the report as JSON
  --markdown FILE  write a badge and a matrix for a README
  --html FILE      write the report as one page
  --quiet          no progress, and nothing but what went wrong
  --help, --version

Exit code: 0 every case passed, 1 an adapter broke a clause, 2 something could not be tried, 130 interrupted.`;
}
