import type { TextFile } from './repository.ts';

/** Where people's and machines' own folders are, but not as part of a relative path or of a site's address. */
const MACHINE_PATH = /(?<![\w.~)}>-])\/(?:work|root|home|Users)\//;

/** The lines of a file that name a folder of somebody's machine. */
export function machinePaths({ path, text }: TextFile): string[] {
  return text.split('\n').flatMap((line, at) => (MACHINE_PATH.test(line) ? [`${path}:${at + 1}`] : []));
}
