import type { SessionRequest } from '@sessions/conformance';

/** Something that all instances of one session have in common, as they would have a table of their store. */
export function sharedByInstances<T>(make: () => T): (request: SessionRequest) => T {
  const all = new Map<string, T>();
  return ({ namespace, sessionId }) => {
    const key = JSON.stringify([namespace, sessionId]);
    const one = all.get(key) ?? make();
    all.set(key, one);
    return one;
  };
}
