import {
  isSessionError,
  SessionError,
  type SessionErrorCode,
  type SessionErrorDetails,
} from '@sessions/core';

/** Lets a call fail with another error than its own, or not at all. */
export async function retelling<T>(call: Promise<T>, retell: (error: SessionError) => T): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isSessionError(error)) throw error;
    return retell(error);
  }
}

/** Throws an error that differs from the right one in some details. */
export function throwLike(
  error: SessionError,
  { code = error.code, ...change }: SessionErrorDetails & { readonly code?: SessionErrorCode },
): never {
  const { message, adapter, cause, index, path } = error;
  throw new SessionError(code, { message, adapter, cause, index, path, ...change });
}
