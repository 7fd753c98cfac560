import { readFileSync } from 'node:fs';

/** The kit's own version. */
export const KIT_VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
