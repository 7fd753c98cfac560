import { SessionError, type SessionErrorCode } from '@sessions/core';

/** What the server's words come to. A script's failure has the word of the command that failed somewhere inside. */
const REPLIES: readonly [words: RegExp, code: SessionErrorCode, message: string][] = [
  [
    /\bWRONGTYPE\b/,
    'INCOMPATIBLE_STORE',
    'A key of this session holds something else than a session. Nothing was written; choose another prefix.',
  ],
  [
    /\bCROSSSLOT\b/,
    'INCOMPATIBLE_STORE',
    "The keys of this session do not share a hash slot. Take `{}` out of the client's keyPrefix.",
  ],
  [
    /\b(?:NOAUTH|WRONGPASS|NOPERM|ACL failure|can't run this command)\b/,
    'ACCESS_DENIED',
    "The Redis server refused the client's credentials or permissions. Check its user, password and ACL.",
  ],
  [
    /\b(?:LOADING|READONLY|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|NOREPLICAS|MISCONF|OOM|BUSY|MOVED|ASK)\b/,
    'UNAVAILABLE',
    'The Redis server cannot take the command at the moment. Nothing was written; see the cause, then try again.',
  ],
];

/**
 * What a failure of the client says about the call.
 *
 * @param error - what the client threw
 * @param unanswered - what is known if the server did not answer
 */
export function redisError(error: unknown, unanswered: SessionErrorCode): SessionError {
  const { name, message } = error instanceof Error ? error : new Error('unknown error');
  if (name !== 'ReplyError') {
    // Refused by the client itself, which had no connection and was told not to wait for one.
    const code = message.includes('enableOfflineQueue') ? 'UNAVAILABLE' : unanswered;
    return new SessionError(code, { cause: bare(name, message) });
  }
  for (const [words, code, text] of REPLIES) {
    const word = words.exec(message)?.[0];
    if (word) return new SessionError(code, { message: text, cause: bare(name, word) });
  }
  const word = /^[A-Z]+/.exec(message)?.[0] ?? 'ERR';
  return new SessionError('INCOMPATIBLE_STORE', {
    message: `The Redis server refused the command (${word}). Redis 6.2 or later, or Valkey, is needed, with scripting allowed.`,
    cause: bare(name, word),
  });
}

/** The client's errors carry the command with all that was to be written, and server errors may quote it (SEC-1). */
function bare(name: string, message: string): Error {
  const cause = new Error(message);
  cause.name = name;
  return cause;
}
