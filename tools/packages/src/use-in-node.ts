import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { run } from './run.ts';
import { usersEnvironment } from './users-environment.ts';

/** The oldest supported Node.js and the newest, with where they are. */
const NODES = [
  { version: 'Node.js 22', path: join(import.meta.dirname, '../node_modules/node22/bin/node') },
  { version: 'Node.js 24', path: join(import.meta.dirname, '../node_modules/node/bin/node') },
];

const FORMS = [
  { format: 'esm', file: 'use.mjs', way: 'import' },
  { format: 'cjs', file: 'use.cjs', way: 'require' },
] as const;

/** Runs a program, with `import` and with `require`, on each Node.js. It has to come to its end, and warn of nothing. */
export async function nodeProblems(folder: string, program: string): Promise<string[]> {
  const problems: string[] = [];
  for (const { format, file, way } of FORMS) {
    const { code } = await transform(program, { loader: 'ts', format, target: 'es2022' });
    writeFileSync(join(folder, file), `${code}\nuse().then(() => console.log('used'));\n`);
    for (const { version, path } of NODES) {
      const ran = await run(`'${path}' ${file}`, folder, usersEnvironment());
      if (ran.code !== 0 || ran.output !== 'used\n') problems.push(`${way} on ${version}: ${ran.output}`);
    }
  }
  return problems;
}
