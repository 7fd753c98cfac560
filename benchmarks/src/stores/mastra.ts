import { randomUUID } from 'node:crypto';
import type { AgentInputItem } from '@openai/agents';
import type { Contender, Conversation } from '../contender.ts';
import { textOf } from '../items.ts';
import type { MastraMemory, MastraMessage } from '../peers.ts';

/** What a message says. */
type Said = Pick<MastraMessage, 'role' | 'content' | 'type'>;

/** How many messages are saved at once to begin with. */
const SAVED_AT_ONCE = 1_000;

/** A store of Mastra's, which keeps messages with the same texts. */
export function mastra(
  name: string,
  memory: MastraMemory,
  {
    prefix = 'bench',
    longest = Number.POSITIVE_INFINITY,
  }: {
    /** What all ids begin with. */
    prefix?: string;
    /** The most that a conversation begins with, where the library takes minutes for more. */
    longest?: number;
  } = {},
): Contender<Said[]> {
  // They are ordered by their time, and those of one millisecond in any order.
  let time = Date.now();
  const resourceId = 'bench';
  const conversation = (threadId: string): Conversation<Said[]> => ({
    add: (said) =>
      memory.saveMessages({
        messages: said.map((one) => ({
          ...one,
          id: `${prefix}-${randomUUID()}`,
          threadId,
          resourceId,
          createdAt: new Date(time++),
        })),
      }),
    async newest(limit) {
      const { messages } = await memory.listMessages({
        threadId,
        perPage: limit ?? false,
        page: 0,
        orderBy: { field: 'createdAt', direction: limit === undefined ? 'ASC' : 'DESC' },
      });
      return limit === undefined ? messages : messages.toReversed();
    },
    again: () => conversation(threadId),
  });
  const batch = (items: readonly AgentInputItem[]) =>
    items.map((item): Said => {
      const role = (item as { role: 'user' | 'assistant' }).role;
      return { role, type: 'v2', content: { format: 2, parts: [{ type: 'text', text: textOf(item) }] } };
    });
  return {
    name,
    batch,
    async begin(items) {
      if (items.length > longest) throw new Error(`it takes minutes to save ${items.length} messages`);
      const threadId = `${prefix}-${randomUUID()}`;
      const now = new Date();
      await memory.saveThread({
        thread: { id: threadId, resourceId, title: '', createdAt: now, updatedAt: now },
      });
      const begun = conversation(threadId);
      for (let start = 0; start < items.length; start += SAVED_AT_ONCE) {
        await begun.add(batch(items.slice(start, start + SAVED_AT_ONCE)));
      }
      return begun;
    },
  };
}
