const LONGEST = 4_000;
const CUT = /… \(cut here, of ([\d,]+) characters\)$/;

/** A text as a report shows it: the beginning of a long one, and how long all of it was. */
export function shorten(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text;
  const length = CUT.exec(text)?.[1] ?? text.length.toLocaleString('en');
  // A pair of surrogates stays whole or goes.
  const end = /[\uD800-\uDBFF]/.test(text[longest - 1]!) ? longest - 1 : longest;
  return `${text.slice(0, end)}… (cut here, of ${length} characters)`;
}
