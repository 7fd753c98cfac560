import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Package } from './workspace.ts';

/** A small program that uses a package for something real: a module that exports `use`. */
export function programFor({ directory }: Package): string {
  return readFileSync(join(import.meta.dirname, '../uses', `${basename(directory)}.ts`), 'utf8');
}
