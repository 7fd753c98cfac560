import { readFileSync } from 'node:fs';
import type { ProtocolVersion } from '@sessions/core';

/** The kit's own version. */
export const KIT_VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** The version of the protocol whose clauses the cases are: the kit's own, whichever core is installed beside it. */
export const KIT_PROTOCOL_VERSION = '1.0' satisfies ProtocolVersion;
