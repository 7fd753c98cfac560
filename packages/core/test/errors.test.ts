import { describe, expect, it } from 'vitest';
import { isSessionError, SESSION_ERROR_CODES, SessionError, type SessionErrorCode } from '../src/index.ts';
import { bundleForBrowser, webScope } from './support/browser.ts';

/** Whether the same call may be made again as it is, for each code of the contract. */
const RETRYABLE: Record<SessionErrorCode, boolean> = {
  INVALID_SESSION_ID: false,
  INVALID_ARGUMENT: false,
  INVALID_LIMIT: false,
  INVALID_ITEM: false,
  ITEM_TOO_LARGE: false,
  UNREADABLE_ITEM: false,
  CONFLICT: true,
  OPERATION_CONFLICT: false,
  SUFFIX_MISMATCH: false,
  UNAVAILABLE: true,
  OUTCOME_UNKNOWN: false,
  ACCESS_DENIED: false,
  INCOMPATIBLE_STORE: false,
  CLOSED: false,
  SESSION_NOT_STARTED: false,
};

/** What a reader is told to do, in whatever words. */
const ADVICE =
  /\b(pass|correct|leave|replace|store|keep|update|provide|read|try|use|build|check|await|call|wait)\b/i;

describe('SessionError', () => {
  it('Errors: has no code that this table does not name, and none missing', () => {
    expect([...SESSION_ERROR_CODES].sort()).toEqual(Object.keys(RETRYABLE).sort());
  });

  it.each(Object.entries(RETRYABLE) as [SessionErrorCode, boolean][])(
    'Errors: %s says what happened, what to do next, and that trying again is %s',
    (code, retryable) => {
      const error = new SessionError(code);
      expect(error).toMatchObject({ code, retryable, name: 'SessionError' });
      expect(error).toBeInstanceOf(Error);
      const [, ...advice] = error.message.split(/[.:;,] /);
      expect(advice.join(' ')).toMatch(ADVICE);
      expect(error.message).toMatch(/\.$/);
      expect(error.adapter).toBeUndefined();
      expect('cause' in error).toBe(false);
    },
  );

  it('Errors: has a message of its own for each code', () => {
    const messages = SESSION_ERROR_CODES.map((code) => new SessionError(code).message);
    expect(new Set(messages).size).toBe(messages.length);
  });

  it('Errors: bears what it is given', () => {
    const cause = new Error('connect ECONNREFUSED');
    const details = { message: 'No.', adapter: 'redis', cause, index: 2, path: '.a', retryable: false };
    expect(new SessionError('UNAVAILABLE', details)).toMatchObject({ ...details, code: 'UNAVAILABLE' });
  });

  it('Errors: is shown by its name in a log', () => {
    expect(String(new SessionError('CLOSED', { message: 'Closed.' }))).toBe('SessionError: Closed.');
  });
});

describe('isSessionError', () => {
  it('Errors: knows its own, and the code where one is asked for', () => {
    const error = new SessionError('CLOSED');
    expect(isSessionError(error)).toBe(true);
    expect(isSessionError(error, 'CLOSED')).toBe(true);
    expect(isSessionError(error, 'CONFLICT')).toBe(false);
  });

  it.each([
    null,
    undefined,
    0,
    '',
    'SessionError',
    true,
    1n,
    Symbol.for('@sessions/core.SessionError'),
    {},
    { code: 'CLOSED', name: 'SessionError', message: 'Closed.', retryable: false },
    [],
    () => undefined,
    new Error('x'),
    Object.assign(new Error('Closed.'), { name: 'SessionError', code: 'CLOSED' }),
    Object.create(null),
  ])('Errors: is false for case %#', (value) => {
    expect(isSessionError(value)).toBe(false);
    expect(isSessionError(value, 'CLOSED')).toBe(false);
  });

  it('Errors: knows those of another copy of the package, which `instanceof` does not', async () => {
    // In a variable, since the compiler looks for a file of that name otherwise.
    const anotherCopy = '../src/errors.ts?another-copy';
    const other = (await import(/* @vite-ignore */ anotherCopy)) as typeof import('../src/errors.ts');
    expect(other.SessionError).not.toBe(SessionError);
    const theirs = new other.SessionError('CONFLICT');
    expect(theirs).not.toBeInstanceOf(SessionError);
    expect(isSessionError(theirs, 'CONFLICT')).toBe(true);
    expect(other.isSessionError(new SessionError('CLOSED'), 'CLOSED')).toBe(true);
  });

  it('Errors: knows those of another realm', async () => {
    const { code } = await bundleForBrowser("export * from '../src/index.ts'");
    const run = webScope();
    run(code);
    const theirs = run("new bundle.SessionError('CLOSED')");
    expect(theirs).not.toBeInstanceOf(Error);
    expect(isSessionError(theirs, 'CLOSED')).toBe(true);
    const isTheirs = run('bundle.isSessionError') as typeof isSessionError;
    expect(isTheirs(new SessionError('CLOSED'), 'CLOSED')).toBe(true);
    expect(isTheirs(new Error('CLOSED'))).toBe(false);
  });
});
