import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { SourceAbsent } from './source.ts';

/** The absolute path of a command; SourceAbsent where the PATH has none. */
export function findOnPath(name: string): string {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue;
    const path = resolve(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {}
  }
  throw new SourceAbsent(`there is no ${name} on the PATH`);
}
