import { parseArgs } from 'node:util';
import type { Command, Options } from './command.ts';
import { clear } from './commands/clear.ts';
import { copy } from './commands/copy.ts';
import { count } from './commands/count.ts';
import { exportItems } from './commands/export.ts';
import { importItems } from './commands/import.ts';
import { show } from './commands/show.ts';
import { Failure } from './failure.ts';
import { Interruption } from './interruption.ts';
import { openSession } from './open-session.ts';
import { tell } from './tell.ts';
import { USAGE, VERSION } from './usage.ts';

const COMMANDS = new Map<string, Command>(
  Object.entries({ show, export: exportItems, import: importItems, count, clear, copy }),
);

const DEFAULT_TIMEOUT_SECONDS = 10;

/**
 * Does what the command line says.
 *
 * @param args - what comes after the program's name
 * @returns the exit code: 0 done, 1 not done, 2 wrong usage, 130 or 143 ended by a signal
 */
export async function main(args: readonly string[]): Promise<number> {
  using interruption = new Interruption();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that left has what it wanted.
    if (error.code !== 'EPIPE')
      process.exit(tell(new Failure('NOT_WRITTEN', `The output cannot be written (${error.code}).`)));
  });
  try {
    await run(args, interruption);
    return 0;
  } catch (error) {
    return tell(error);
  }
}

async function run(args: readonly string[], interruption: Interruption): Promise<void> {
  const { values, positionals } = parse(args);
  const { help, version, timeout, ...given } = values;
  if (help || version) {
    console.log(help ? USAGE : VERSION);
    return;
  }
  const [name = '', ...rest] = positionals;
  const command = COMMANDS.get(name);
  if (!command) throw new Failure('USAGE', `The first word is one of ${[...COMMANDS.keys()].join(', ')}.`);
  const { takes } = command;
  const needed = takes.filter((word) => !word.startsWith('[')).length;
  if (rest.length < needed || rest.length > takes.length)
    throw new Failure('USAGE', `${name} takes ${takes.join(' ')}.`);
  const other = Object.keys(given).find((option) => !command.options.some((known) => known === option));
  if (other !== undefined) throw new Failure('USAGE', `${name} has no --${other}.`);
  const options: Options = { ...given, limit: numberOf('limit', given.limit) };
  const seconds = numberOf('timeout', timeout) ?? DEFAULT_TIMEOUT_SECONDS;
  const open = (url: string, id: string) => openSession(url, id, seconds * 1000);
  const unguard = () => interruption[Symbol.dispose]();
  await command.run({ options, open, signal: interruption.signal, unguard }, ...rest);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        limit: { type: 'string' },
        'no-pager': { type: 'boolean' },
        append: { type: 'boolean' },
        yes: { type: 'boolean' },
        timeout: { type: 'string' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new Failure('USAGE', (error as Error).message);
  }
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new Failure('USAGE', `--${option} takes a whole number.`);
  return Number(text);
}
