import { isSessionError, SessionError, type SessionErrorCode } from '@sessions/core';

/**
 * What refusals of a server come to, all of which say that nothing was written: by its code, or by how its message begins (it
 * may quote ids further on) where others have no code of their own, or another one each.
 */
const REFUSALS: readonly [says: RegExp | readonly number[], code: SessionErrorCode, message: string][] = [
  [
    /^(?:Retryable writes are not supported|This MongoDB deployment does not support retryable writes)/i,
    'INCOMPATIBLE_STORE',
    "The server takes no retryable writes. Nothing was written; put `retryWrites=false` into the client's URL.",
  ],
  [
    /^you are over your space quota/i,
    'UNAVAILABLE',
    'The storage of the Atlas cluster is full. Nothing was written; make room, or take a larger one.',
  ],
  [
    // Unauthorized, UserNotFound, AuthenticationFailed, ReauthenticationRequired, AtlasError.
    [13, 11, 18, 391, 8000],
    'ACCESS_DENIED',
    "The MongoDB server refused the client's credentials or permissions. Check its user, password and roles.",
  ],
  [
    // WriteConflict, TemporarilyUnavailable, IngressRequestRateLimitExceeded, OutOfDiskSpace, and Cosmos DB's own 429.
    [112, 365, 462, 14031, 16500],
    'UNAVAILABLE',
    'The MongoDB server cannot take the command at the moment. Nothing was written; see the cause, then try again.',
  ],
  [
    // DocumentValidationFailure, CommandNotSupportedOnView, DuplicateKey of another index than that of `_id`.
    [121, 166, 11_000],
    'INCOMPATIBLE_STORE',
    'The collection does not take the rows of a session: it is a view, has a validator, or a unique index on other fields than ' +
      '`_id`. Nothing was written; drop that, or choose another collection.',
  ],
  [
    // BadValue, FailedToParse, TypeMismatch, IllegalOperation, CommandNotFound, ShardKeyNotFound, InvalidOptions,
    // InvalidNamespace, CommandNotSupported, ReadConcernMajorityNotEnabled, NotImplemented, FeatureNotSupported, and the
    // one for an unknown field.
    [2, 9, 14, 20, 59, 61, 72, 73, 115, 148, 238, 303, 304, 40415],
    'INCOMPATIBLE_STORE',
    'The MongoDB server does not know what a session needs of it. See the cause and the README for what works.',
  ],
];

/**
 * What a failure of the driver says about the call.
 *
 * @param error - what the driver threw
 * @param otherwise - what is known if the server did not say it
 */
export function mongoError(error: unknown, otherwise: SessionErrorCode): SessionError {
  if (isSessionError(error)) return error;
  const { name, message, code, codeName } = (error ?? {}) as Record<string, unknown>;
  const refusal = REFUSALS.find(([says]) =>
    says instanceof RegExp ? says.test(`${message}`) : says.includes(code as number),
  );
  if (`${name}`.startsWith('Mongo') && (refusal || typeof code === 'number')) {
    const cause = bare(`${name}`, `${codeName ?? code ?? name}`);
    return new SessionError(refusal?.[1] ?? otherwise, { message: refusal?.[2], cause });
  }
  const cause = bare(`${name}`, `${message}`);
  // No server is chosen either where the driver does not speak with any that there is.
  const causes = [error, (error as Error | undefined)?.cause] as (Error | undefined)[];
  if (causes.some((one) => one?.name === 'MongoCompatibilityError')) {
    const text = 'The MongoDB server is too old for this driver: version 4.4 or later is needed.';
    return new SessionError('INCOMPATIBLE_STORE', { message: text, cause });
  }
  if (name === 'MongoNotConnectedError' || name === 'MongoClientClosedError') {
    const text = 'The MongoDB client was closed. Nothing was written; build the session with an open one.';
    return new SessionError('UNAVAILABLE', { message: text, cause, retryable: false });
  }
  return new SessionError(otherwise, { cause });
}

/** The driver's errors carry the documents that were to be written, and servers quote them (SEC-1). */
function bare(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
