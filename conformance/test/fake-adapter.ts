import { MemorySession, MemoryStore } from '../../packages/memory/src/index.ts';
import type { ConformanceAdapter } from '../src/index.ts';

/** A small adapter over memory of which parts can be replaced by wrong ones. */
export function fakeAdapter(parts: Partial<ConformanceAdapter> = {}): ConformanceAdapter {
  const store = new MemoryStore();
  return {
    name: 'fake',
    store: 'nowhere',
    capabilities: {
      transactions: true,
      rewrites: { unsupported: 'It cannot rewrite.' },
      replacement: true,
      expiry: true,
    },
    open: async () => ({
      session: ({ sessionId, timeoutMs }) => new MemorySession<unknown>({ sessionId, timeoutMs, store }),
      close: async () => undefined,
    }),
    wire: { unsupported: 'It has no wire.' },
    processes: { unsupported: 'It has no other processes.' },
    backdoor: { plant: async () => undefined, contents: async () => [], records: async () => [] },
    ...parts,
  };
}

/** One whose sessions are whatever is given. */
export function withSessions(
  make: () => unknown,
  parts: Partial<ConformanceAdapter> = {},
): ConformanceAdapter {
  return fakeAdapter({
    open: async () => ({ session: make as never, close: async () => undefined }),
    ...parts,
  });
}
