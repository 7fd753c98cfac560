import { runCommandLine } from '../../../conformance/src/command-line/cli.ts';
import { endProcess } from '../../../conformance/src/command-line/end-process.ts';
import { adaptersOn, NoSuchEngine } from './adapters.ts';
import { withoutEngine } from './engine.ts';

/** What some engines take to be built from source, the first time. */
const START_MS = 900_000;

endProcess(await main());

async function main(): Promise<number> {
  // pnpm hands over its own separator as an argument.
  const { engine, args } = withoutEngine(process.argv.slice(2).filter((argument) => argument !== '--'));
  try {
    return await runCommandLine(args, {
      command: `npm run conformance --${engine === undefined ? '' : ` --engine ${engine}`}`,
      adapters: adaptersOn(engine),
      // Paths are the user's, who is not where the package manager runs this.
      folder: process.env.CALLED_FROM ?? '.',
      timeoutMs: START_MS,
    });
  } catch (error) {
    if (!(error instanceof NoSuchEngine)) throw error;
    console.error(error.message);
    return 2;
  }
}
