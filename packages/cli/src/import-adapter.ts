import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from './failure.ts';

/**
 * Imports an adapter: the one installed beside this program, else that of the current folder. The latter is where a
 * project has it if this program was only fetched to be run once.
 *
 * @param own - imports the one beside this program
 * @param name - of the adapter's package
 * @param driver - of the package that the adapter needs
 * @throws Failure `NOT_INSTALLED`
 */
export async function importAdapter<Adapter>(
  own: () => Promise<Adapter>,
  name: string,
  driver: string,
): Promise<Adapter> {
  try {
    return await own();
  } catch (error) {
    throwUnlessMissing(error);
  }
  try {
    const path = createRequire(join(process.cwd(), 'index.js')).resolve(name);
    return (await import(pathToFileURL(path).href)) as Adapter;
  } catch (error) {
    throwUnlessMissing(error);
    throw new Failure('NOT_INSTALLED', `This store needs two packages: npm install ${name} ${driver}`);
  }
}

function throwUnlessMissing(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
}
