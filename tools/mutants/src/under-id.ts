import type { SessionRequest } from '@sessions/conformance';

/** A session under another id than it was asked for. */
export function underId(change: (sessionId: string) => string): (request: SessionRequest) => SessionRequest {
  return (request) => ({ ...request, sessionId: change(request.sessionId) });
}
