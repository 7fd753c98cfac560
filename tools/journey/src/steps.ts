import { type CodeBlock, readMarkdown } from '../../docs/src/markdown.ts';

/** What a document has its reader do next. */
export type Step = { readonly line: number } & (
  | { readonly kind: 'write'; readonly file: string; readonly text: string }
  | { readonly kind: 'change'; readonly file: string; readonly diff: string }
  | RunStep
);

export interface RunStep {
  readonly kind: 'run';
  readonly command: string;
  readonly exitCode: number;
  /** What the document shows of what it prints, if it shows anything. */
  readonly shown?: string | undefined;
}

/**
 * Reads a document as a list of steps. Marked for it are: `js file=NAME`, a file to write; `diff file=NAME`, a change of
 * one; `sh`, a command a line, with `exit=1` if the last one ends so; and behind such a block `text output`, what its last
 * command prints. Every other block is for the eyes only.
 *
 * @throws Error for a mark that nobody knows
 */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const block of readMarkdown(markdown).blocks) steps.push(...stepsOfBlock(block, steps.at(-1)));
  return steps;
}

function stepsOfBlock(block: CodeBlock, before: Step | undefined): Step[] {
  const { language, line, text } = block;
  const marks = new Map(
    block.flags.map((flag) => {
      const [name = '', value = ''] = flag.split('=');
      return [name, value];
    }),
  );
  const take = (mark: string) => {
    const value = marks.get(mark);
    marks.delete(mark);
    return value;
  };
  const isOutput = marks.delete('output');
  const file = take('file');
  const exitCode = take('exit');
  const [unknown] = marks.keys();
  if (unknown !== undefined) throw new Error(`Line ${line - 1}: '${unknown}' is no mark of a block`);
  if (isOutput) {
    if (before?.kind !== 'run') throw new Error(`Line ${line - 1}: no command prints this`);
    Object.assign(before, { shown: text });
    return [];
  }
  if (file !== undefined) {
    return [
      language === 'diff' ? { kind: 'change', file, diff: text, line } : { kind: 'write', file, text, line },
    ];
  }
  if (language !== 'sh') return [];
  const commands = text.split('\n').map((command, at) => ({ command, line: line + at }));
  return commands
    .filter(({ command }) => command.trim() !== '')
    .map((step, at, all) => {
      return { kind: 'run', ...step, exitCode: at === all.length - 1 ? Number(exitCode ?? 0) : 0 };
    });
}
