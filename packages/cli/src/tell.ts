import { isSessionError } from '@sessions/core';
import { Failure } from './failure.ts';
import { visible } from './visible.ts';

/** What a session says of the arguments it is given, which are the command line's. */
const WRONG_ARGUMENTS = new Set<string>(['INVALID_SESSION_ID', 'INVALID_ARGUMENT', 'INVALID_LIMIT']);

/**
 * Says on stderr what went wrong, in one or two lines.
 *
 * @returns the exit code
 */
export function tell(error: unknown): number {
  if (error instanceof Failure) {
    const hint = error.code === 'USAGE' ? ' (see sessions --help)' : '';
    console.error(visible(`sessions: ${error.code}: ${error.message}${hint}`));
    return error.exitCode;
  }
  if (isSessionError(error)) {
    console.error(visible(`sessions: ${error.code}: ${error.message}`));
    const isWhy = error.code === 'UNAVAILABLE' || error.code === 'OUTCOME_UNKNOWN';
    if (isWhy && error.cause instanceof Error) console.error(visible(`  cause: ${error.cause.message}`));
    return WRONG_ARGUMENTS.has(error.code) ? 2 : 1;
  }
  // A mistake in this program. What it says may quote anything, a URL with its password too; the rest is where it happened.
  const { name, stack = '' } = Object(error) as { name?: unknown; stack?: string };
  const [, at = ''] = /^\s+at (.*)$/m.exec(stack) ?? [];
  console.error(`sessions: UNEXPECTED: ${name} ${at}`);
  return 1;
}
