import type { Capabilities, ConformanceAdapter, StartedAdapter } from '@sessions/conformance';
import { COPIES } from '@sessions/core/store';
import { MemorySession, MemoryStore } from '../src/index.ts';

const capabilities: Capabilities = { transactions: true, rewrites: true, replacement: true, expiry: true };

/** Memory sessions over shared stores, one a namespace; a "connection" is one more instance of the class. */
export async function startMemoryAdapter(): Promise<StartedAdapter> {
  const stores = new Map<string, MemoryStore>();
  const storeOf = (namespace = 'default') => {
    const store = stores.get(namespace) ?? new MemoryStore();
    stores.set(namespace, store);
    return store;
  };
  const adapter: ConformanceAdapter = {
    name: 'memory',
    store: `Node.js ${process.version}`,
    capabilities,
    async open() {
      return {
        session: ({ namespace, ...options }) =>
          new MemorySession<unknown>({ ...options, store: storeOf(namespace) }),
        close: async () => undefined,
      };
    },
    wire: { unsupported: 'There is no wire between a memory session and its store.' },
    processes: { unsupported: 'A memory store lives in one process.' },
    backdoor: {
      async plant(sessionId, kind) {
        storeOf()
          .get(sessionId)
          ?.records.push(kind === 'held' ? '~9{"from":"a newer version"}' : '{"role":"us');
      },
      async contents() {
        return [...stores.values()].flatMap((store) => {
          return store.sessionIds().flatMap((id) => {
            const history = store.get(id);
            // It may have expired since its id was given.
            return history
              ? [id, ...history.records.map(COPIES.text), ...[...(history.operations ?? [])].flat()]
              : [];
          });
        });
      },
      async records(sessionId) {
        return (storeOf().get(sessionId)?.records ?? []).map(COPIES.text);
      },
      async lifetimes(sessionId) {
        const history = storeOf().get(sessionId);
        return history ? [history.expiresAt - performance.now()] : [];
      },
      restart: { unsupported: 'A memory store ends with its process, and so does what it holds.' },
      removeDue: { unsupported: 'A memory store removes nothing before it is over.' },
      forget: { unsupported: 'A memory store keeps nothing for its clients.' },
    },
  };
  return { adapter, stop: async () => undefined };
}
