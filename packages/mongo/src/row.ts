import { createHash } from 'node:crypto';
import { SessionError } from '@sessions/core';
import { escapeId, type LogRow } from '@sessions/core/store';

/** A row of a session's log, as a document. Nothing in it but strings, numbers and a date, so that nothing acts as an operator (SEC-2). */
export interface RowDocument {
  readonly _id: string;
  readonly rev: number;
  readonly head: string;
  readonly texts: readonly string[];
  readonly removeAt?: Date;
}

/** Between a session's id and the key of a row. Escaped in ids, like NUL, at which some tools end a text. */
const SEPARATOR = '/';
const RESERVED = [SEPARATOR, '\0'];

/** The longest session id that stands in `_id` as it is, in bytes: some servers take no more than 1,024 for all of it. */
const LONGEST_ID_BYTES = 512;

/**
 * What the `_id` of each row of a session begins with, different for different sessions (ID-3).
 *
 * Rows are told apart by `_id` alone, and found by ranges of it: that index is there in every collection, unique on every
 * server, and on a sharded cluster too if it is the shard key. An index of the adapter's own would have to be made first,
 * and there would be no arbiter wherever that was not done.
 */
export function prefixOf(sessionId: string): string {
  const escaped = escapeId(sessionId, RESERVED);
  if (Buffer.byteLength(escaped) <= LONGEST_ID_BYTES) return escaped + SEPARATOR;
  // Nothing that was escaped has a percent sign before anything but a number.
  return `%sha256.${createHash('sha256').update(escaped).digest('hex')}${SEPARATOR}`;
}

/** What a row's document holds beside its `_id`. */
export function fieldsOf({ rev, head, texts, removeAt }: LogRow): Omit<RowDocument, '_id'> {
  return { rev, head, texts, ...(removeAt !== undefined && { removeAt: new Date(removeAt) }) };
}

/**
 * A document as a row; one of which only the head was asked for has no texts.
 *
 * @throws SessionError `INCOMPATIBLE_STORE` if it is another session's: some collations know no upper and lower case
 */
export function rowOf(document: Partial<RowDocument> & Pick<RowDocument, '_id'>, prefix: string): LogRow {
  const { _id, rev, head, texts = [], removeAt } = document;
  if (!_id.startsWith(prefix)) {
    const message =
      'The collection has a collation to which different ids are the same. Choose one without a collation of its own.';
    throw new SessionError('INCOMPATIBLE_STORE', { message });
  }
  return { key: _id.slice(prefix.length), rev: rev!, head: head!, texts, removeAt: removeAt?.getTime() };
}
