import { SessionError } from './errors.ts';

/**
 * A version of the session protocol, as `major.minor`. A higher minor has more promises, a higher major has others.
 *
 * @see docs/protocol.md, "Versions"
 */
export type ProtocolVersion = `${number}.${number}`;

/** The version of the protocol that this package keeps. */
export const PROTOCOL_VERSION = '1.0' satisfies ProtocolVersion;

/** The versions that adapters may have been built for: all of this major, up to this minor. */
const KEPT: readonly ProtocolVersion[] = [PROTOCOL_VERSION];

/**
 * Refuses an adapter that was built for a version of the protocol that this package does not keep: for another major,
 * or for a higher minor. Makes no call.
 *
 * @param builtFor - written out in the adapter: {@link PROTOCOL_VERSION} is that of the core it runs with
 * @throws SessionError `INCOMPATIBLE_STORE`, which says what to update
 */
export function checkProtocolVersion(builtFor: ProtocolVersion): void {
  if (KEPT.includes(builtFor)) return;
  const message =
    `The adapter was built for session protocol ${builtFor}, and @sessions/core has ${PROTOCOL_VERSION}. ` +
    'Update the older of the two.';
  throw new SessionError('INCOMPATIBLE_STORE', { message });
}
