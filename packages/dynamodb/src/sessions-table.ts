import { invalidArgument } from '@sessions/core/store';

/** A table, and the names of what sessions need in it. */
export interface SessionsTable {
  /** `sessions` by default. */
  tableName?: string | undefined;
  /** The table's partition key, of type string; `pk` by default. */
  partitionKey?: string | undefined;
  /** The table's sort key, of type string; `sk` by default. */
  sortKey?: string | undefined;
  /** The attribute that says when DynamoDB may remove a row, in seconds since 1970; `ttl` by default. */
  ttlAttribute?: string | undefined;
}

export type ResolvedTable = { readonly [Name in keyof SessionsTable]-?: string };

/** What DynamoDB takes; a table may also be given by its ARN. */
const TABLE_NAME = /^(?:[\w.-]{3,255}|arn:\S{1,1020})$/;

/** @throws SessionError `INVALID_ARGUMENT` */
export function resolveTable(options: SessionsTable): ResolvedTable {
  const { tableName = 'sessions', partitionKey = 'pk', sortKey = 'sk', ttlAttribute = 'ttl' } = options;
  if (typeof tableName !== 'string' || !TABLE_NAME.test(tableName))
    invalidArgument('`tableName` must be 3 to 255 of the characters a-z, A-Z, 0-9, _, . and -, or an ARN');
  const names = [partitionKey, sortKey, ttlAttribute];
  if (names.some((name) => typeof name !== 'string' || name === '' || Buffer.byteLength(name) > 255))
    invalidArgument('Keys and `ttlAttribute` must have names of 1 to 255 bytes');
  if (new Set([...names, 'rev', 'head', 'texts']).size < 6)
    invalidArgument('Keys and `ttlAttribute` must differ, and none be rev, head or texts');
  return { tableName, partitionKey, sortKey, ttlAttribute };
}
