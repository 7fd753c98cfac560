export { MemorySession, type MemorySessionOptions } from './memory-session.ts';
export { MemoryStore } from './memory-store.ts';
