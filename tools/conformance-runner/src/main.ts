import { runCommandLine } from '../../../conformance/src/cli.ts';
import { endProcess } from '../../../conformance/src/end-process.ts';
import { ADAPTERS } from './adapters.ts';

// pnpm hands over its own separator as an argument.
const args = process.argv.slice(2).filter((argument) => argument !== '--');

endProcess(
  await runCommandLine(args, {
    command: 'npm run conformance --',
    adapters: ADAPTERS,
    // Paths are the user's, who is not where the package manager runs this.
    folder: process.env.CALLED_FROM ?? '.',
  }),
);
