import type { AgentItem } from '@sessions/core';
import { COPIES, encodeAll, StoredSession, type StoreOptions } from '@sessions/core/store';
import { MemoryHistory } from './memory-history.ts';
import { type MemoryRecord, MemoryStore } from './memory-store.ts';

/** What a {@link MemorySession} is built with. */
export interface MemorySessionOptions<TItem = AgentItem> extends StoreOptions {
  /** The conversation's id; a random one if left out. An `undefined` from somewhere else is refused (ID-1). */
  sessionId?: string;
  /** What the history starts with, if the store holds none under this id yet. */
  initialItems?: readonly TItem[] | undefined;
  /** Where histories live; one of its own by default. Instances with the same id and store are one session. */
  store?: MemoryStore | undefined;
}

/** A session that lives as long as its {@link MemoryStore}, with all capabilities and the contract of the others. */
export class MemorySession<TItem = AgentItem> extends StoredSession<TItem, MemoryRecord> {
  /**
   * @throws SessionError `INVALID_SESSION_ID`, `INVALID_ARGUMENT`, `INVALID_LIMIT`, `INCOMPATIBLE_STORE`, and for the
   *   initial items `INVALID_ITEM`, `ITEM_TOO_LARGE`
   */
  constructor(options: MemorySessionOptions<TItem> = {}) {
    const { initialItems = [], store = new MemoryStore() } = options;
    const sessionId = 'sessionId' in options ? (options.sessionId as string) : crypto.randomUUID();
    super({
      adapter: 'memory',
      protocolVersion: '1.0',
      sessionId,
      options,
      codec: COPIES,
      open: (resolved) => {
        const history = new MemoryHistory(store, sessionId, resolved);
        history.begin(encodeAll(initialItems, COPIES));
        return history;
      },
    });
  }
}
