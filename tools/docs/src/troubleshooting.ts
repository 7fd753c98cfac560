/** What the document on troubleshooting says of an error code. */
export interface ExplainedCode {
  readonly code: string;
  /** The first paragraph; empty if there is none. */
  readonly meaning: string;
  /** What stands behind "What to do"; empty if nothing does. */
  readonly remedy: string;
}

/** The codes that have a section of their own, in the order of the document. */
export function explainedCodes(document: string): ExplainedCode[] {
  const chapters = document.split(/^## /m);
  const codes = chapters.find((chapter) => chapter.startsWith('By code\n')) ?? '';
  return codes.split(/^### /m).slice(1).map(explainedCode);
}

function explainedCode(section: string): ExplainedCode {
  const [heading = '', ...lines] = section.split('\n');
  const paragraphs = lines
    .join('\n')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim());
  const label = '**What to do.** ';
  return {
    code: heading.replaceAll('`', ''),
    meaning: paragraphs.find((paragraph) => paragraph !== '') ?? '',
    remedy: paragraphs.find((paragraph) => paragraph.startsWith(label))?.slice(label.length) ?? '',
  };
}
