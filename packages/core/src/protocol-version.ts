import { SessionError } from './errors.ts';

/**
 * A version of the session protocol, as `major.minor`. A higher minor has more promises, a higher major has others.
 *
 * @see docs/protocol.md, "Versions"
 */
export type ProtocolVersion = `${number}.${number}`;

/** The version of the protocol that this package keeps. */
export const PROTOCOL_VERSION = '1.0' satisfies ProtocolVersion;

/**
 * Refuses an adapter that was built for a version of the protocol that this package does not keep: for another major,
 * or for a higher minor. Makes no call.
 *
 * @param adapter - its name, for the message
 * @param builtFor - written out in the adapter: {@link PROTOCOL_VERSION} is that of the core it runs with
 * @throws SessionError `INCOMPATIBLE_STORE`, which says what to update
 */
export function checkProtocolVersion(adapter: string, builtFor: ProtocolVersion): void {
  const [major, minor] = numbersOf(PROTOCOL_VERSION);
  const [wantedMajor, wantedMinor] = numbersOf(builtFor);
  if (wantedMajor === major && wantedMinor <= minor) return;
  const update = wantedMajor < major ? 'that adapter' : '@sessions/core';
  const message =
    `The adapter '${adapter}' was built for version ${builtFor} of the session protocol, and the installed ` +
    `@sessions/core keeps version ${PROTOCOL_VERSION}. Update ${update}.`;
  throw new SessionError('INCOMPATIBLE_STORE', { message, adapter });
}

function numbersOf(version: ProtocolVersion): [major: number, minor: number] {
  // From JavaScript it may be a number: 1.0, of which only 1 is left, is no version.
  const [major, minor] = `${version}`.split('.');
  return [Number(major), Number(minor)];
}
