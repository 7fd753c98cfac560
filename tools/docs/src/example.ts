import { readMarkdown } from './markdown.ts';
import type { TextFile } from './repository.ts';

/** TypeScript of a document that makes one module: a block, and those that continue it. */
export interface Example {
  /** The document's path. */
  readonly document: string;
  /** The line on which the first block begins. */
  readonly line: number;
  /** Whether it is to be run. */
  readonly runs: boolean;
  /** What it prints, if the document shows that: in blocks `text output`, each right behind one of its own. */
  readonly output?: readonly string[] | undefined;
  /** Its lines have the numbers that they have in the document, so that tools report the document's lines. */
  readonly text: string;
}

/**
 * The TypeScript in a document.
 *
 * @throws Error for a mark that nobody knows, for a block that continues nothing, and for the output of one that does not run
 */
export function examplesIn({ path, text }: TextFile): Example[] {
  const examples: Example[] = [];
  let isBehindOne = false;
  for (const { language, flags, line, text: code } of readMarkdown(text).blocks) {
    const isOutput = isBehindOne && language === 'text' && flags.includes('output');
    isBehindOne = language === 'ts' || language === 'typescript';
    if (isOutput) {
      const example = examples.pop()!;
      if (!example.runs)
        throw new Error(`${path}:${line - 1}: what is shown is the output of nothing that runs`);
      examples.push({ ...example, output: [...(example.output ?? []), code] });
    }
    if (!isBehindOne) continue;
    const unknown = flags.find((flag) => flag !== 'run' && flag !== 'continue');
    if (unknown !== undefined) throw new Error(`${path}:${line - 1}: '${unknown}' is no mark of a block`);
    const before = flags.includes('continue') ? examples.pop() : undefined;
    if (!before && flags.includes('continue'))
      throw new Error(`${path}:${line - 1}: there is nothing to continue`);
    const above = before?.text ?? '';
    examples.push({
      document: path,
      line: before?.line ?? line,
      runs: flags.includes('run') || before?.runs === true,
      text: above + '\n'.repeat(line - 1 - newlines(above)) + code,
      output: before?.output,
    });
  }
  return examples;
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}
