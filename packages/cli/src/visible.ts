/**
 * Controls, invisible characters, those that turn the direction of writing, lone surrogates; not line feed and tab, nor the
 * two joiners that emoji and scripts are made with.
 */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * A text in which nothing works on the terminal that shows it: what cannot be seen is written as JSON writes it
 * (`\u001b`). So JSON stays JSON, and the same.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/** A session's id, as messages show it. */
export function quoted(id: string): string {
  return visible(JSON.stringify(id));
}
