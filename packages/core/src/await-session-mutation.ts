/**
 * Waits until a write has settled, and only then lets the caller's cancellation through (LIFE-4).
 *
 * The rules are those of `await_session_mutation` in the Python SDK: the operation settles first; if the signal
 * fired by then, its reason is thrown, over a result and over an error alike; otherwise the result or the
 * error comes through. The rejection does not mean that the write was undone. Gives no timeout, no
 * transaction, no retry and no mutual exclusion.
 *
 * @param operation - the write, already under way
 * @param options - `signal`: the caller's cancellation
 * @throws the signal's reason, or what the operation threw
 */
export async function awaitSessionMutation<T>(
  operation: PromiseLike<T>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<T> {
  try {
    return await operation;
  } finally {
    options.signal?.throwIfAborted();
  }
}
