/**
 * Changes a text as a diff in a document says. Its parts are set apart by lines that are only `…`; each shows, with the
 * usual marks, what is there and what takes its place.
 *
 * @throws Error if what a part shows is not there exactly once
 */
export function change(text: string, diff: string): string {
  let changed = text;
  for (const part of diff.split(/^ ?…\n/m)) {
    const lines = part.split('\n').filter((line) => line !== '');
    const side = (mark: '-' | '+') =>
      lines
        .filter((line) => line[0] === ' ' || line[0] === mark)
        .map((line) => line.slice(1))
        .join('\n');
    const [before, after, ...more] = changed.split(side('-'));
    if (after === undefined || more.length > 0) throw new Error(`Not there exactly once:\n${side('-')}`);
    changed = before + side('+') + after;
  }
  return changed;
}
