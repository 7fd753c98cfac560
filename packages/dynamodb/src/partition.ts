import { createHash } from 'node:crypto';
import { SessionError } from '@sessions/core';
import { escapeId } from '@sessions/core/store';

/** The most bytes that DynamoDB takes in a partition key. */
const LONGEST_KEY = 2_048;

/** The most bytes of a prefix, so that there is room for an id, or its hash, after it. */
const LONGEST_PREFIX = 1_024;

/**
 * The partition key of one session; those of two sessions, or of one id under two prefixes, are never the same (ID-3).
 *
 * @throws SessionError `INVALID_ARGUMENT` for a prefix that is too long
 */
export function partitionOf(prefix: string, sessionId: string): string {
  const begin = `${escapeId(prefix, [':'])}:`;
  if (Buffer.byteLength(begin) > LONGEST_PREFIX) {
    throw new SessionError('INVALID_ARGUMENT', {
      message: `\`prefix\` must have less than ${LONGEST_PREFIX} bytes.`,
    });
  }
  const id = escapeId(sessionId);
  const key = begin + id;
  if (Buffer.byteLength(key) <= LONGEST_KEY) return key;
  // No escaped id has this after a percent sign.
  return `${begin}%sha256;${createHash('sha256').update(id).digest('hex')}`;
}
