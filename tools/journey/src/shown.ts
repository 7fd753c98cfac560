import { stripVTControlCharacters } from 'node:util';

/** What differs from run to run and from machine to machine. */
const VARYING = [
  /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  /\bv?\d+\.\d+\.\d+\b/g,
  /\b\d+(\.\d+)? ?(ms|s|min)\b/g,
];

/**
 * Compares what a document shows with what was printed. A line that is only `…` stands for any number of lines, `…` in a
 * line for any text; times, versions and random ids need not be the same.
 *
 * @returns the first stretch of lines that was not printed, if there is one
 */
export function missingFrom(printed: string, shown: string): string | undefined {
  let rest = plain(printed);
  for (const stretch of plain(shown).split(/^[ \t]*…$/m)) {
    const lines = stretch.replace(/^\n/, '').trimEnd();
    if (lines === '') continue;
    const pattern = lines.split('…').map(literally).join('.*');
    const found = new RegExp(`^${pattern}$`, 'm').exec(rest);
    if (!found) return lines;
    rest = rest.slice(found.index + found[0].length);
  }
  return undefined;
}

function plain(text: string): string {
  const lines = stripVTControlCharacters(text).split(/\r?\n/);
  const joined = lines.map((line) => line.trimEnd()).join('\n');
  return VARYING.reduce((changed, pattern) => changed.replaceAll(pattern, '~'), joined);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
