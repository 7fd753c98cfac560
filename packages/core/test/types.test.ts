import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const CORE = fileURLToPath(new URL('..', import.meta.url));

/** What the compiler has to say about this package and its tests. */
async function compile(): Promise<string> {
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
    'package.json',
    'bin/tsc',
  );
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--noEmit', '--pretty', 'false'], {
      cwd: CORE,
    });
    return stdout;
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error);
  }
}

it('GET-2 ADD-6 TXN-1 RWR-1: sessions fit the official SDK, and misuse does not compile', async () => {
  const complaints = (await compile()).split('\n').filter((line) => line.startsWith('test/types.test-d.ts'));
  expect(complaints).toEqual([]);
  // The compiler did look at the file: it is part of the project.
  const project = JSON.parse(await readFile(`${CORE}/tsconfig.json`, 'utf8')) as { include: string[] };
  expect(project.include).toContain('test');
});
