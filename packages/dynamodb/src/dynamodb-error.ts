import { isSessionError, SessionError, type SessionErrorCode } from '@sessions/core';

/** What the names come to of the service's answers, and of the client's own failures. */
const NAMES: readonly [name: RegExp, code: SessionErrorCode, message?: string][] = [
  [/^ConditionalCheckFailed/, 'CONFLICT'],
  [
    /^ResourceNotFound/,
    'INCOMPATIBLE_STORE',
    'There is no table of this name. Nothing was written; create it with `createSessionsTable(client, { tableName })`, or check ' +
      "`tableName` and the client's region.",
  ],
  [
    /^Validation/,
    'INCOMPATIBLE_STORE',
    'The table has other keys than this session expects, or another attribute for its expiry. Nothing was written; give ' +
      "`partitionKey`, `sortKey` and `ttlAttribute` the names of the table's own, the keys being strings.",
  ],
  [
    /^Throttl|ThroughputExceeded|LimitExceeded|^TooManyRequests/,
    'UNAVAILABLE',
    'DynamoDB went on refusing the request for being one too many. Nothing was written; raise the capacity, or try again later.',
  ],
  [/^(?:TransactionConflict|ReplicatedWriteConflict)/, 'UNAVAILABLE'],
  [
    /AccessDenied|UnrecognizedClient|Signature|AuthenticationToken|ClientTokenId|ExpiredToken|OptIn|(?:Credentials|Token)Provider|^40[13]$/,
    'ACCESS_DENIED',
    "DynamoDB refused the client's credentials or permissions, or there are none. Check its credentials, its clock and that " +
      'its policy allows Query, PutItem and BatchWriteItem on the table.',
  ],
];

/** What a failure of the client says about a request of which no try was left without an answer. */
export function dynamodbError(error: unknown): SessionError {
  if (isSessionError(error)) return error;
  const cause = bare(error);
  const [, code, message] =
    NAMES.find(([names]) => names.test(cause.name) || names.test(statusOf(error))) ?? [];
  if (code) return new SessionError(code, { message, cause });
  if (isAnswer(error)) {
    const refused = `DynamoDB refused the request (${cause.name}). Nothing was written; see its documentation.`;
    return new SessionError('INCOMPATIBLE_STORE', { message: refused, cause });
  }
  if (String(error).includes('Region is missing')) {
    const noRegion = 'The client has no region. Nothing was sent; set AWS_REGION, or give the client one.';
    return new SessionError('INVALID_ARGUMENT', { message: noRegion, cause });
  }
  return new SessionError('UNAVAILABLE', { cause });
}

/** Whether the service itself answered, and said that it did not do it. */
export function isAnswer(error: unknown): boolean {
  return statusOf(error).startsWith('4');
}

/** Whether there was not even a connection to send on. */
export function isUnsent(error: unknown): boolean {
  const { syscall } = Object(error) as { syscall?: unknown };
  return syscall === 'connect' || syscall === 'getaddrinfo';
}

/** An error without what the client's own carry: responses, and quotes of what was sent, tokens among it (SEC-1). */
export function bare(error: unknown): Error {
  const { name, message, code } = Object(error) as { name?: unknown; message?: unknown; code?: unknown };
  // Says who may not do what.
  const said = name === 'AccessDeniedException' ? message : (code ?? name);
  return Object.assign(new Error(String(said)), { name: String(name) });
}

function statusOf(error: unknown): string {
  const { $metadata } = Object(error) as { $metadata?: { httpStatusCode?: number } };
  return String($metadata?.httpStatusCode);
}
