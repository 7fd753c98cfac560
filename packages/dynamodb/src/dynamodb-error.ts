import { isSessionError, SessionError, type SessionErrorCode } from '@sessions/core';

/** What failures come to, by what they say: their name and status, or their message. */
const KNOWN: readonly [said: RegExp, code: SessionErrorCode, message?: string][] = [
  [/^ConditionalCheckFailed/, 'CONFLICT'],
  [
    /^ResourceNotFound/,
    'INCOMPATIBLE_STORE',
    'There is no table of this name, or it is not active yet. Nothing was written; create it with ' +
      "`createSessionsTable(client, { tableName })`, or check `tableName` and the client's region.",
  ],
  [
    /^Validation/,
    'INCOMPATIBLE_STORE',
    'The table has other keys than this session expects, or another attribute for its expiry. Nothing was written; give ' +
      "`partitionKey`, `sortKey` and `ttlAttribute` the names of the table's own, the keys being strings.",
  ],
  [
    /^Throttl|ThroughputExceeded|LimitExceeded|^TooManyRequests|^(?:Transaction|ReplicatedWrite)Conflict/,
    'UNAVAILABLE',
    'DynamoDB went on refusing the request as one too many. Nothing was written; raise the capacity, or try again later.',
  ],
  [
    /AccessDenied|UnrecognizedClient|Signature|AuthenticationToken|ClientTokenId|ExpiredToken|OptIn|(?:Credentials|Token)Provider|^Resolved credential| 40[13]$/,
    'ACCESS_DENIED',
    "DynamoDB refused the client's credentials or permissions, or there are none. Check its credentials, its clock and that its " +
      'policy allows GetItem, Query, PutItem and BatchWriteItem on the table; CreateTable, DescribeTable and UpdateTimeToLive to create it.',
  ],
  [
    /^Region is missing/,
    'INVALID_ARGUMENT',
    'The client has no region. Nothing was sent; set AWS_REGION, or give the client one.',
  ],
];

/** What a failure says about a request of which no try was left without an answer. */
export function dynamodbError(error: unknown): SessionError {
  if (isSessionError(error)) return error;
  const cause = bare(error);
  const { message: own, status } = partsOf(error);
  // What the client says before it sends anything has no name.
  const said = cause.name === 'Error' ? own : `${cause.name} ${status}`;
  const [, code, message] = KNOWN.find(([known]) => known.test(said)) ?? [];
  if (code) return new SessionError(code, { message, cause });
  if (!isAnswer(error)) return new SessionError('UNAVAILABLE', { cause });
  const refused = `DynamoDB refused the request (${cause.name}). Nothing was written; see its documentation.`;
  return new SessionError('INCOMPATIBLE_STORE', { message: refused, cause });
}

/** Whether the service itself answered, and said that it did not do it. */
export function isAnswer(error: unknown): boolean {
  return partsOf(error).status.startsWith('4');
}

/** Whether there was not even a connection to send on. */
export function isUnsent(error: unknown): boolean {
  // Where a name has several addresses, each of them was tried.
  const { errors } = Object(error) as { errors?: unknown };
  if (Array.isArray(errors)) return errors.every(isUnsent);
  const { syscall, message } = partsOf(error);
  // The client's own words for `connectionTimeout`.
  return /^(?:connect|getaddrinfo)$/.test(syscall) || message.includes('did not establish a connection');
}

/** An error without what the client's own carry: responses, and quotes of what was sent, tokens among it (SEC-1). */
export function bare(error: unknown): Error {
  const { name, message, code } = partsOf(error);
  // Says who may not do what.
  const said = name === 'AccessDeniedException' ? message : code || name;
  return Object.assign(new Error(said), { name });
}

function partsOf(error: unknown) {
  const { name, message, code = '', syscall, $metadata } = Object(error) as Record<string, unknown>;
  const { httpStatusCode: status } = Object($metadata) as { httpStatusCode?: number };
  return {
    name: `${name}`,
    message: `${message}`,
    code: `${code}`,
    syscall: `${syscall}`,
    status: `${status}`,
  };
}
