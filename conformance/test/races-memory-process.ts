import { MemorySession, MemoryStore } from '../../packages/memory/src/index.ts';
import type { Connection } from '../src/index.ts';

const store = new MemoryStore();

/** Opens sessions that only this process can see: a mistake, for a session that is meant to be shared. */
export async function open(): Promise<Connection> {
  return {
    session: ({ sessionId }) => new MemorySession<unknown>({ sessionId, store }),
    close: async () => undefined,
  };
}
