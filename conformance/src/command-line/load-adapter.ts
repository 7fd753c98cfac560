import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inTime } from '../in-time.ts';
import { type AdapterSource, messageOf, START_TIMEOUT_MS, WrongAdapter } from '../start-adapter.ts';

/**
 * The default export of a module.
 *
 * @param path - the module's, absolute
 * @param timeoutMs - how long its own code may take
 * @throws WrongAdapter
 */
export async function loadAdapter(path: string, timeoutMs = START_TIMEOUT_MS): Promise<AdapterSource> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new WrongAdapter('There is no such file.');
  if (!found.isFile()) throw new WrongAdapter('That is no file. Name the module that exports the adapter.');
  const module = await load(pathToFileURL(path).href, timeoutMs);
  if (module.default === undefined) {
    throw new WrongAdapter(
      'It has no default export. Let that be the adapter, { adapter, stop }, or a function that gives either.',
    );
  }
  return module.default as AdapterSource;
}

async function load(url: string, timeoutMs: number): Promise<{ default?: unknown }> {
  try {
    return await inTime(import(url) as Promise<{ default?: unknown }>, timeoutMs, () => {
      return new WrongAdapter(`Importing it did not come to an end within ${timeoutMs / 1000} s.`);
    });
  } catch (error) {
    throw error instanceof WrongAdapter ? error : new WrongAdapter(whyNotImported(error), { cause: error });
  }
}

function whyNotImported(error: unknown): string {
  // Node.js tells the place of these only to whoever runs the file itself.
  if (error instanceof SyntaxError)
    return `It cannot be read: ${error.message}. Run it with node to see where.`;
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `Node.js ${process.version} cannot read it. It reads .mjs and .js, and from 22.18 on .ts.`;
  }
  return `It threw when it was imported: ${messageOf(error)}`;
}
