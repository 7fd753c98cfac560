import { describe, expect, it } from 'vitest';
import { awaitSessionMutation } from '../src/index.ts';
import { isSettled, rejectionOf } from './support/sessions.ts';

type Settle<T> = (resolve: (value: T) => void, reject: (error: unknown) => void) => void;

/** Anything that can be awaited, though it is no promise. */
function thenable<T>(then: Settle<T>): PromiseLike<T> {
  return { then } as PromiseLike<T>;
}

describe('awaitSessionMutation', () => {
  it('LIFE-4 lets the result through, the same object', async () => {
    const result = { written: true };
    expect(await awaitSessionMutation(Promise.resolve(result))).toBe(result);
    expect(await awaitSessionMutation(Promise.resolve(result), {})).toBe(result);
    expect(await awaitSessionMutation(Promise.resolve(result), { signal: undefined })).toBe(result);
    expect(
      await awaitSessionMutation(Promise.resolve(result), { signal: new AbortController().signal }),
    ).toBe(result);
  });

  it.each([new Error('the write failed'), 'a string', undefined, null])(
    'LIFE-4 lets the error %s through, the same object',
    async (error) => {
      expect(await rejectionOf(awaitSessionMutation(Promise.reject(error)))).toBe(error);
      const { signal } = new AbortController();
      expect(await rejectionOf(awaitSessionMutation(Promise.reject(error), { signal }))).toBe(error);
    },
  );

  it('LIFE-4 waits until the write has settled, and only then throws the reason', async () => {
    const write = Promise.withResolvers<string>();
    const cancellation = new AbortController();
    const waiting = awaitSessionMutation(write.promise, { signal: cancellation.signal });
    const reason = new Error('given up');
    cancellation.abort(reason);
    expect(await isSettled(waiting)).toBe(false);
    write.resolve('written');
    expect(await rejectionOf(waiting)).toBe(reason);
  });

  it('LIFE-4 throws the reason over an error', async () => {
    const write = Promise.withResolvers<string>();
    const cancellation = new AbortController();
    const waiting = awaitSessionMutation(write.promise, { signal: cancellation.signal });
    const reason = new Error('given up');
    cancellation.abort(reason);
    write.reject(new Error('the write failed'));
    const error = await rejectionOf(waiting);
    expect(error).toBe(reason);
    // As Python's `from None`: the write's own failure is not told.
    expect((error as Error).cause).toBeUndefined();
  });

  it('LIFE-4 throws the first reason of several', async () => {
    const write = Promise.withResolvers<void>();
    const cancellation = new AbortController();
    const waiting = awaitSessionMutation(write.promise, { signal: cancellation.signal });
    cancellation.abort('first');
    cancellation.abort('second');
    write.resolve();
    expect(await rejectionOf(waiting)).toBe('first');
  });

  it('LIFE-4 waits for the write also when the signal fired before', async () => {
    const write = Promise.withResolvers<void>();
    const waiting = awaitSessionMutation(write.promise, { signal: AbortSignal.abort('before') });
    expect(await isSettled(waiting)).toBe(false);
    write.resolve();
    expect(await rejectionOf(waiting)).toBe('before');
  });

  it('LIFE-4 throws the usual error when the signal fires without a reason', async () => {
    const waiting = awaitSessionMutation(Promise.resolve(), { signal: AbortSignal.abort() });
    expect(await rejectionOf(waiting)).toMatchObject({ name: 'AbortError' });
  });

  it('LIFE-4 is not disturbed by a signal that fires afterwards', async () => {
    const cancellation = new AbortController();
    const result = await awaitSessionMutation(Promise.resolve('written'), { signal: cancellation.signal });
    cancellation.abort('late');
    expect(result).toBe('written');
  });

  it('LIFE-4 takes any thenable, also one that answers at once', async () => {
    const done = thenable<string>((resolve) => Promise.resolve('written').then(resolve));
    const atOnce = thenable<string>((resolve) => resolve('at once'));
    const failed = thenable<string>((_, reject) => reject('failed'));
    expect(await awaitSessionMutation(done)).toBe('written');
    expect(await awaitSessionMutation(atOnce)).toBe('at once');
    expect(await rejectionOf(awaitSessionMutation(failed))).toBe('failed');
    expect(await rejectionOf(awaitSessionMutation(atOnce, { signal: AbortSignal.abort('given up') }))).toBe(
      'given up',
    );
    expect(await rejectionOf(awaitSessionMutation(failed, { signal: AbortSignal.abort('given up') }))).toBe(
      'given up',
    );
  });

  it('LIFE-4 rejects, and does not throw, when the thenable throws', async () => {
    const thrower = thenable<string>(() => {
      throw new Error('broken');
    });
    expect(await rejectionOf(awaitSessionMutation(thrower))).toMatchObject({ message: 'broken' });
  });
});
