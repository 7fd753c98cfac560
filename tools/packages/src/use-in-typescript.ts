import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';
import { usersEnvironment } from './users-environment.ts';
import { ROOT } from './workspace.ts';

/** How a user's project may be set up. `require` of ES modules is an error of TypeScript's own in `node16`. */
const PROJECTS = [
  { module: 'node16', moduleResolution: 'node16', file: 'use.mts' },
  { module: 'nodenext', moduleResolution: 'nodenext', file: 'use.mts' },
  { module: 'nodenext', moduleResolution: 'nodenext', file: 'use.cts' },
  { module: 'esnext', moduleResolution: 'bundler', file: 'use.ts' },
];

/**
 * Compiles a program, strictly and with all declarations that it leads to.
 *
 * @param web - without the types of Node.js, which drivers need
 */
export async function typescriptProblems(folder: string, program: string, web: boolean): Promise<string[]> {
  const problems: string[] = [];
  const types = web ? { types: [] } : { types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] };
  for (const { file, ...project } of PROJECTS) {
    writeFileSync(join(folder, file), program);
    const options = {
      ...project,
      ...types,
      target: 'es2022',
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const config = `tsconfig.${project.moduleResolution}.${file}.json`;
    writeFileSync(join(folder, config), JSON.stringify({ compilerOptions: options, files: [file] }));
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { code, output } = await run(`'${tsc}' --pretty false -p ${config}`, folder, usersEnvironment());
    if (code !== 0) problems.push(`${file}, moduleResolution ${project.moduleResolution}: ${output}`);
  }
  return problems;
}
