/**
 * An id as well-formed text without any of the `reserved` characters, different for different ids (ID-3).
 *
 * Stores write UTF-8, in which all lone surrogates would become the same character.
 *
 * @param id - any string
 * @param reserved - the characters that mean something where the id is going to stand
 */
export function escapeId(id: string, reserved: readonly string[] = []): string {
  let escaped = '';
  for (const character of id) {
    const keep = character !== '%' && !/\p{Surrogate}/u.test(character) && !reserved.includes(character);
    escaped += keep ? character : `%${character.codePointAt(0)!.toString(16)};`;
  }
  return escaped;
}
