import { isEqual } from '../own-realm.ts';

/** Of so many items one is large: stores that keep, send or pop large values in another way do so in a race too. */
const LARGE_EVERY = 11;
const LARGE = 'é'.repeat(6_000);

/** What names that begin so stand for: a few of them are more than any file, pipe or socket takes at once. */
export const HUGE = 'h';
const MUCH = 'é'.repeat(25_000);

/** The item that a name stands for in a history. */
export function itemOf(name: string): unknown {
  const number = Number(name.replace(/^\D+/, ''));
  const isLarge = number % LARGE_EVERY === LARGE_EVERY - 1;
  const more = name.startsWith(HUGE) ? MUCH : isLarge ? LARGE : undefined;
  return { role: 'user', content: name, ...(more !== undefined && { more }) };
}

/** The name of an item that came back. One that is not what was added has a name that nobody added. */
export function nameOf(item: unknown): string {
  const name = (item as { content?: unknown } | null | undefined)?.content;
  return typeof name === 'string' && isEqual(item, itemOf(name)) ? name : `{not as added: ${name}}`;
}
