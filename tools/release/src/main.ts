import { parseArgs } from 'node:util';
import { ReleaseRefused, release } from './release.ts';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
try {
  release({ dryRun: values['dry-run'] });
} catch (error) {
  if (!(error instanceof ReleaseRefused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
