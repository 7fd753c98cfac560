import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readMarkdown } from './markdown.ts';
import type { TextFile } from './repository.ts';

/** `[text](target "title")`, `[name]: target` and `href="target"`. */
const LINKS = [
  /\]\(<?([^\s)>]+)>?(?:\s+"[^"]*")?\)/g,
  /^\s*\[[^\]]+\]:\s+<?([^\s>]+)/gm,
  /\b(?:href|src)="([^"]+)"/g,
];

/**
 * The links of a document that lead nowhere.
 *
 * @param root - the folder that the document's path starts from
 * @returns for each the document, the line and the link
 */
export function brokenLinks(document: TextFile, root: string): string[] {
  const { path } = document;
  const prose = readMarkdown(document.text).prose.replaceAll(/(`+)[^`].*?\1/g, (code) =>
    ' '.repeat(code.length),
  );
  const broken: string[] = [];
  for (const pattern of LINKS) {
    for (const { 1: target, index } of prose.matchAll(pattern)) {
      if (/^([a-z][\w+.-]*:|\/\/)/i.test(target!) || leadsSomewhere(target!, document, root)) continue;
      broken.push(`${path}:${prose.slice(0, index).split('\n').length}: ${target}`);
    }
  }
  return broken;
}

function leadsSomewhere(target: string, from: TextFile, root: string): boolean {
  const [file, anchor] = decodeURI(target).split('#') as [string, string?];
  if (file === '') return anchorsOf(from.text).includes(anchor ?? '');
  const path = join(root, dirname(from.path), file);
  // A link from the root (`/docs`) leads elsewhere on each site that shows the document.
  if (file.startsWith('/') || relative(root, path).startsWith('..') || !existsSync(path)) return false;
  if (anchor === undefined) return true;
  return path.endsWith('.md') && anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
}

/** Where links into a document can lead: its headings, named as GitHub names them, and the ids in it. */
export function anchorsOf(markdown: string): string[] {
  const { prose } = readMarkdown(markdown);
  const anchors = Array.from(prose.matchAll(/<[^>]+\s(?:id|name)="([^"]+)"/g), ([, id]) => id!);
  const seen = new Map<string, number>();
  for (const [, heading] of prose.matchAll(/^#{1,6}\s+(.+?)[\s#]*$/gm)) {
    const name = heading!
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    anchors.push(before === 0 ? name : `${name}-${before}`);
  }
  return anchors;
}
