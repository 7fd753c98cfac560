import { escapeId } from '@sessions/core/store';

/** Where one session lives. All keys share a hash slot: the id is their hash tag. */
export interface SessionKeys {
  /** A list: the records, oldest first. */
  readonly items: string;
  /** A string: the id of the change that made the history what it is. Absent while it is empty, unless it keeps the expiry. */
  readonly version: string;
  /** A hash: operation ids and the digests of their transactions (TXN-2). */
  readonly operations: string;
  /** A string for each change, by which it is known. Outlives a clear, and expires. */
  change(changeId: string): string;
  /** A string for each pop: what it removed, veiled, until its caller cannot be waiting any more. */
  popped(changeId: string): string;
}

/** A brace in an id would end the hash tag, or begin another one. */
const RESERVED = ['{', '}'];

/** The keys of one session; those of two sessions, or of one id under two prefixes, are never the same (ID-3). */
export function sessionKeys(prefix: string, sessionId: string): SessionKeys {
  const base = `${escapeId(prefix, RESERVED)}:{${escapeId(sessionId, RESERVED)}}`;
  return {
    items: `${base}:items`,
    version: `${base}:version`,
    operations: `${base}:operations`,
    change: (changeId) => `${base}:change:${changeId}`,
    popped: (changeId) => `${base}:popped:${changeId}`,
  };
}
