import { fileURLToPath } from 'node:url';

/** Where the kit's own code is, in the two forms in which a stack names files. */
const KIT = [new URL('.', import.meta.url).href, fileURLToPath(new URL('.', import.meta.url))];

/** A reason for which a case gives up a call. Whoever throws it again, it was made here. */
export class GivenUp extends Error {}

/**
 * Whether an error that no case looks for was made by the kit's own code. A `TypeError` is not held against it: a case
 * that is given something else than what a session has to return stumbles over just that.
 */
export function isKitError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof GivenUp) return false;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const first = frames.find((line) => !/\(?node:/.test(line));
  return first !== undefined && KIT.some((place) => first.includes(place));
}
