import { createHash } from 'node:crypto';
import { escapeId } from '@sessions/core/store';

/** The most bytes that DynamoDB takes in a partition key. */
const LONGEST_KEY = 2_048;

/** So that there is room for an id, or its hash, after it, however its characters are written. */
export const LONGEST_PREFIX = 255;

/** The partition key of one session; those of two sessions, or of one id under two prefixes, are never the same (ID-3). */
export function partitionOf(prefix: string, sessionId: string): string {
  const [begin, id] = [`${escapeId(prefix, [':'])}:`, escapeId(sessionId)];
  if (Buffer.byteLength(begin + id) <= LONGEST_KEY) return begin + id;
  // No escaped id has this after a percent sign.
  return `${begin}%sha256;${createHash('sha256').update(id).digest('hex')}`;
}
