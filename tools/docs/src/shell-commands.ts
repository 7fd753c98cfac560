import { readMarkdown } from './markdown.ts';
import type { TextFile } from './repository.ts';

const SHELLS = new Set(['sh', 'bash', 'shell', 'console']);

/** What `npm` and `pnpm` do themselves, though no script has that name. */
const OWN = new Set(['add', 'install', 'i', 'ci', 'exec', 'dlx', 'create', 'remove', 'update', 'init']);

/** The scripts that npm runs without `run`. */
const SHORT = new Set(['test', 't', 'start']);

/** A script of the repository that a document tells the reader to run. */
export interface NamedScript {
  /** Document and line. */
  readonly at: string;
  readonly script: string;
}

/** The scripts named in a document's shell blocks. Those of a single package (`--filter`, `--dir`) are left out. */
export function scriptsNamedIn({ path, text }: TextFile): NamedScript[] {
  const named: NamedScript[] = [];
  for (const { language, line, text: code } of readMarkdown(text).blocks) {
    if (!SHELLS.has(language)) continue;
    for (const [offset, commands] of code.split('\n').entries()) {
      for (const command of commands.replace(/(^|\s)#.*/, '').split(/&&|\|\||[;|]/)) {
        const script = scriptOf(command.trim().split(/\s+/));
        if (script !== undefined) named.push({ at: `${path}:${line + offset}`, script });
      }
    }
  }
  return named;
}

function scriptOf(words: readonly string[]): string | undefined {
  // A prompt, settings of the environment, and npx come before the program.
  const start = words.findIndex((word) => !/^(\$|\w+=.*|npx|-y|--yes)$/.test(word));
  const program = words[start]?.replace(/(?<=.)@.*/, '');
  const [first, second] = words.slice(start + 1);
  if (program === 'npm') {
    if (first === 'run') return second;
    return first !== undefined && SHORT.has(first) ? first.replace(/^t$/, 'test') : undefined;
  }
  if (program !== 'pnpm' || first === undefined || first.startsWith('-')) return undefined;
  if (first === 'run') return second;
  return OWN.has(first) ? undefined : first;
}
