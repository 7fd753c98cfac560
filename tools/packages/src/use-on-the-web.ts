import { build } from 'esbuild';
import { webScope } from '../../../packages/core/test/support/browser.ts';

/** Bundles a program for browsers and runs it where nothing is Node's. What only Node has fails the bundling. */
export async function webProblems(folder: string, program: string): Promise<string[]> {
  try {
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: folder, loader: 'ts' },
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      globalName: 'program',
      logLevel: 'silent',
    });
    const run = webScope();
    run(outputFiles[0]!.text);
    await run('program.use()');
    return [];
  } catch (error) {
    return [`on the web: ${error}`];
  }
}
