import { Failure } from './failure.ts';

/**
 * Parts the query of a URL: the adapter's options, by name, from what is for the driver.
 *
 * @param names - the options to take out
 * @returns the URL without them, otherwise as it was
 * @throws Failure `USAGE` if one is not encoded as it should be
 */
export function takeOptions<Name extends string>(
  url: string,
  names: readonly Name[],
): { url: string; options: { [K in Name]?: string } } {
  const [address = '', ...query] = url.split('?');
  const options: { [K in Name]?: string } = {};
  const rest = query
    .join('?')
    .split('&')
    .filter((pair) => {
      const [key, ...value] = pair.split('=');
      const name = names.find((one) => one === key);
      if (name === undefined) return pair !== '';
      options[name] = decoded(value.join('='));
      return false;
    });
  return { url: rest.length === 0 ? address : `${address}?${rest.join('&')}`, options };
}

/** @throws Failure `USAGE` */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Failure('USAGE', 'The URL has a % that begins no character; write %25 for one.');
  }
}
