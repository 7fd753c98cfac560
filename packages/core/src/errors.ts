/**
 * What went wrong, as a word that programs may rely on. Codes are contract, wording is not.
 *
 * @see docs/protocol.md, "Errors"
 */
export type SessionErrorCode = keyof typeof MESSAGES;

/** What happened and what to do, when the thrower knows nothing more precise. */
const MESSAGES = {
  INVALID_SESSION_ID:
    'The session id must be a non-empty string. Pass the id of the conversation as `sessionId`.',
  INVALID_ARGUMENT: 'An argument is not what the method takes. Nothing was written; correct the call.',
  INVALID_LIMIT:
    'A limit must be a whole number, or Infinity for all items. Leave it out to read everything.',
  INVALID_ITEM:
    'An item holds a value that cannot be stored. Nothing was written; replace the value by data.',
  ITEM_TOO_LARGE:
    'An item or batch is over the maximum size. Nothing was written; store the payload elsewhere and keep a reference.',
  UNREADABLE_ITEM:
    'A stored item was written in a form that this version cannot read. ' +
    'Nothing was deleted; update the package, or provide the key it was written with.',
  CONFLICT: 'The history was changed by somebody else meanwhile. Nothing was written; read it and try again.',
  OPERATION_CONFLICT:
    'This operation id was already applied with another transaction. ' +
    'Nothing was written; use a fresh id for a different transaction.',
  SUFFIX_MISMATCH:
    'The history does not end with the expected items. ' +
    'Nothing was written; read the history and build the transaction anew.',
  UNAVAILABLE: 'The store could not be reached in time. Nothing was written; try again when it answers.',
  OUTCOME_UNKNOWN:
    'The store did not confirm the write, which may or may not have been applied, or may still be. ' +
    'Read the history before you write again.',
  ACCESS_DENIED: "The store refused the client's credentials or permissions. Check them.",
  INCOMPATIBLE_STORE:
    "What the store holds, or is, does not fit this adapter. Check the server's version and the names used.",
  CLOSED: 'This session was closed. Build a new one for the same id to go on.',
  SESSION_NOT_STARTED: 'The session has no id before its first call. Await `getSessionId()`.',
} as const satisfies Record<string, string>;

/** After which the same call may be made again as it is, without doing anything twice. */
const RETRYABLE: readonly SessionErrorCode[] = ['CONFLICT', 'UNAVAILABLE'];

/** Every code, for tables and tests. */
export const SESSION_ERROR_CODES = /* @__PURE__ */ Object.keys(MESSAGES) as readonly SessionErrorCode[];

/** In the global registry, so that two copies of this package recognise each other's errors. */
const BRAND: unique symbol = Symbol.for('@sessions/core.SessionError');

/** What may be said about a failure beside its code. */
export interface SessionErrorDetails {
  /** The message, instead of the code's own. Never any item content, never a credential (SEC-1). */
  readonly message?: string | undefined;
  /** The adapter in which it happened, such as `redis`. */
  readonly adapter?: string | undefined;
  /** What was caught. It must not carry item content or credentials either. */
  readonly cause?: unknown;
  /** `INVALID_ITEM` and `ITEM_TOO_LARGE`: the item's index in the batch. */
  readonly index?: number | undefined;
  /** `INVALID_ITEM`: where in the item the value stands, such as `.output[3].image`. */
  readonly path?: string | undefined;
  /** Overrides the code's own answer, for an `UNAVAILABLE` that waiting will not mend. */
  readonly retryable?: boolean | undefined;
}

/** The one class of errors that sessions throw. Recognise it with {@link isSessionError}, not `instanceof`. */
export class SessionError extends Error {
  readonly code: SessionErrorCode;
  readonly adapter: string | undefined;
  /** Whether the same call may be made again as it is, without doing anything twice. */
  readonly retryable: boolean;
  readonly index: number | undefined;
  readonly path: string | undefined;

  constructor(code: SessionErrorCode, details: SessionErrorDetails = {}) {
    super(
      details.message ?? MESSAGES[code],
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.code = code;
    this.adapter = details.adapter;
    this.retryable = details.retryable ?? RETRYABLE.includes(code);
    this.index = details.index;
    this.path = details.path;
  }

  get [BRAND](): true {
    return true;
  }

  static {
    // On the prototype, as the built-in errors have it: it can be overwritten, and is not listed.
    Object.defineProperty(SessionError.prototype, 'name', {
      value: 'SessionError',
      writable: true,
      configurable: true,
    });
  }
}

/**
 * Whether `error` is a {@link SessionError}, made by whichever copy of this package.
 *
 * @param error - anything that was caught
 * @param code - if given, the error must also bear this code
 */
export function isSessionError(error: unknown, code?: SessionErrorCode): error is SessionError {
  return (
    typeof error === 'object' &&
    error !== null &&
    (error as { [BRAND]?: unknown })[BRAND] === true &&
    (code === undefined || (error as SessionError).code === code)
  );
}

/** The same error, saying in which adapter it happened; what is no {@link SessionError} as it is. */
export function inAdapter(error: unknown, adapter: string): unknown {
  if (!isSessionError(error) || error.adapter !== undefined) return error;
  const { code, message, cause, index, path, retryable } = error;
  return new SessionError(code, { message, adapter, cause, index, path, retryable });
}
