/** A fenced block of code in a document. */
export interface CodeBlock {
  /** The first word of the info string, such as `ts`; empty if there is none. */
  readonly language: string;
  /** The other words of the info string. */
  readonly flags: readonly string[];
  /** The number of the document's line on which its text begins. */
  readonly line: number;
  readonly text: string;
}

/** A document, taken apart. */
export interface Markdown {
  readonly blocks: readonly CodeBlock[];
  /** Everything else, on the same lines as in the document. */
  readonly prose: string;
}

const OPENING = /^(\s*)(`{3,}|~{3,})([^`]*)$/;

/** Parts the code of a document from its prose. */
export function readMarkdown(markdown: string): Markdown {
  const blocks: CodeBlock[] = [];
  const prose: string[] = [];
  const lines = markdown.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const opening = OPENING.exec(lines[at]!);
    if (!opening) {
      prose.push(lines[at]!);
      continue;
    }
    const [, indent, fence, info] = opening as unknown as [string, string, string, string];
    const start = at + 1;
    while (++at < lines.length && !closes(lines[at]!, fence));
    // Within a list the code is as far to the right as its fence.
    const code = lines
      .slice(start, at)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    const [language = '', ...flags] = info.trim().split(/\s+/);
    blocks.push({ language, flags, line: start + 1, text: code.join('\n') });
    prose.push(...lines.slice(start - 1, at + 1).map(() => ''));
  }
  return { blocks, prose: prose.join('\n') };
}

function closes(line: string, fence: string): boolean {
  const marks = line.trim();
  return marks.length >= fence.length && marks === fence[0]!.repeat(marks.length);
}
