import { type AgentInputItem, MemorySession as OfficialMemorySession } from '@openai/agents';
import { MemorySession } from '@sessions/memory';
import type { Contender, Conversation } from '../contender.ts';
import type { Store } from './store.ts';

export async function openMemory(): Promise<Store> {
  return {
    title: 'Memory',
    server: 'in this process',
    isInProcess: true,
    ours: kept('@sessions/memory', (initialItems) => new MemorySession({ initialItems })),
    peers: [
      kept('the official MemorySession', (initialItems) => new OfficialMemorySession({ initialItems })),
    ],
    close: async () => {},
  };
}

/** The session is the store, so that the next request has to be given the same. */
function kept(
  name: string,
  open: (items: AgentInputItem[]) => {
    addItems(items: AgentInputItem[]): Promise<void>;
    getItems(limit?: number): Promise<AgentInputItem[]>;
  },
): Contender<AgentInputItem[]> {
  return {
    name,
    batch: (items) => [...items],
    async begin(items) {
      const session = open([...items]);
      const conversation: Conversation<AgentInputItem[]> = {
        add: (added) => session.addItems(added),
        newest: (limit) => session.getItems(limit),
        again: () => conversation,
      };
      return conversation;
    },
  };
}
