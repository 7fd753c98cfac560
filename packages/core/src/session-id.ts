import { SessionError } from './errors.ts';

/**
 * The id itself, once it is known to be one (ID-1).
 *
 * @throws SessionError `INVALID_SESSION_ID` for anything but a non-empty string
 */
export function checkSessionId(sessionId: unknown): string {
  if (typeof sessionId !== 'string' || sessionId === '') throw new SessionError('INVALID_SESSION_ID');
  return sessionId;
}
