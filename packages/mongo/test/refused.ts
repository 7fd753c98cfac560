import { inspect } from 'node:util';
import { isSessionError, type SessionErrorCode } from '@sessions/core';
import { expect } from 'vitest';
import { PASSWORD } from './users.ts';

/** An item whose content must not be seen in any error, and is the password too. */
export const SECRET = { role: 'user', content: PASSWORD };

/** The call fails with this code and says what to do, without content or password. */
export async function refused(call: Promise<unknown>, code: SessionErrorCode, advice: RegExp): Promise<void> {
  const error: unknown = await call.then(
    () => 'no error',
    (caught: unknown) => caught,
  );
  expect(isSessionError(error, code), inspect(error)).toBe(true);
  expect((error as Error).message).toMatch(advice);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(PASSWORD);
}
