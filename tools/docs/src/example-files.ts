import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Example } from './example.ts';

/** Ignored by git, and inside this package, so that the examples find what it depends on. */
const CACHE = join(import.meta.dirname, '../.cache');

/** Files of examples, one a module, in a folder of their own that goes when they are disposed of. */
export interface ExampleFiles extends Disposable {
  readonly folder: string;
  /** Relative to the folder, in the order of the examples. */
  readonly paths: readonly string[];
}

export function writeExamples(examples: readonly Example[]): ExampleFiles {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'examples-'));
  const paths = examples.map(({ document, line, text }) => {
    const path = `${document}.${line}.ts`;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // On its last line, so that a block that is not closed is reported near its end.
    writeFileSync(join(folder, path), `${text}\nexport {};\n`);
    return path;
  });
  return { folder, paths, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Names the documents in what a tool says of the files. */
export function inDocuments(output: string): string {
  return output.replaceAll(/(\.md)\.\d+\.ts/g, '$1');
}
