import { SessionError } from '../errors.ts';

/**
 * Refuses an option or an argument.
 *
 * @param what - what it must be, as a sentence without its full stop; never what was given (SEC-1)
 * @param adapter - where no `StoredSession` says it
 * @throws SessionError `INVALID_ARGUMENT`
 */
export function invalidArgument(what: string, adapter?: string): never {
  throw new SessionError('INVALID_ARGUMENT', { message: `${what}.`, adapter });
}
