import type { StoredSession } from '@sessions/core/store';

/** What the command line may hold beside URLs, ids and files. */
export interface Options {
  readonly limit?: number | undefined;
  readonly 'no-pager'?: boolean | undefined;
  readonly append?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** How a command is called. */
export interface Call {
  readonly options: Options;
  /** Fires when the user gives the command up. */
  readonly signal: AbortSignal;
  /**
   * Leaves signals to do what they do by themselves, which is to end the process. Called before much is written: while a
   * pipe is full, nothing here could act on one.
   */
  readonly unguard: () => void;
  /** @throws Failure and SessionError as `openSession` */
  readonly open: (url: string, sessionId: string) => Promise<StoredSession<unknown>>;
}

/** One thing to do with a session. */
export interface Command {
  /** What it takes, in its order, as the help shows it; what is in brackets may be left out. */
  readonly takes: readonly string[];
  readonly options: readonly (keyof Options)[];
  /** Settles when all is done and said. */
  readonly run: (call: Call, ...args: string[]) => Promise<void>;
}
