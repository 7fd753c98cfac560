import type { SessionErrorCode } from '@sessions/core';

/** What the command line itself has to say; the rest are the session's own errors. */
export type FailureCode =
  /** The command was called wrongly. */
  | 'USAGE'
  /** An adapter or its driver is not installed. */
  | 'NOT_INSTALLED'
  /** A line of the input is no item. */
  | 'INVALID_LINE'
  /** The session to write to holds items already. */
  | 'NOT_EMPTY'
  /** Nobody said yes. */
  | 'NOT_CONFIRMED'
  /** After copying, the two sessions are not the same. */
  | 'NOT_THE_SAME'
  /** An import that was done once before is not done again. */
  | 'NOT_ADDED'
  /** The output is full, say. */
  | 'NOT_WRITTEN'
  /** The call was given up by a signal. */
  | 'INTERRUPTED'
  | SessionErrorCode;

/** Why a command did not do what it was told. The message holds no item content and no credential (SEC-1). */
export class Failure extends Error {
  readonly code: FailureCode;
  /** What the process ends with: 1 if left out, 2 for `USAGE`. */
  readonly exitCode: number;

  constructor(code: FailureCode, message: string, exitCode = code === 'USAGE' ? 2 : 1) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}
