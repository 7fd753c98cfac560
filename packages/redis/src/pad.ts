import { createCipheriv, createHash, randomBytes } from 'node:crypto';

/** Known to this process alone. */
const SECRET = randomBytes(32);

const ZEROS = Buffer.alloc(4_096);

/**
 * The one-time pad of a pop: the same whenever that one change is tried again, and nobody else's to find out. As long as
 * the longest record that a pop takes in one command.
 */
export function padOf(changeId: string): Buffer {
  const counter = createHash('sha256').update(changeId).digest().subarray(0, 16);
  return createCipheriv('aes-256-ctr', SECRET, counter).update(ZEROS);
}
