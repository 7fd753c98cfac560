/**
 * A text in which nothing works on whoever shows it: control characters, which move a terminal's cursor, and those that turn
 * the direction of writing are shown by a sign of their own.
 */
export function visible(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
      .replace(/[\u0000-\u0008\u000b-\u001f]/g, (control) =>
        String.fromCharCode(0x2400 + control.charCodeAt(0)),
      )
      .replace(/[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
  );
}
