import type { AgentInputItem } from '@openai/agents';
import type { Contender, Conversation } from '../contender.ts';
import { textOf } from '../items.ts';
import type { LangChain, LangChainHistory } from '../peers.ts';

/** A history of LangChain's, which keeps messages with the same texts. */
export function langChain(
  name: string,
  { HumanMessage, AIMessage }: LangChain,
  {
    open,
    fill,
  }: {
    open: (sessionId: string) => LangChainHistory;
    /** Adds many messages as the history would, all at once where that leaves the same in the store. */
    fill: (history: LangChainHistory, sessionId: string, messages: object[]) => Promise<unknown>;
  },
): Contender<object[]> {
  const conversation = (history: LangChainHistory): Conversation<object[]> => ({
    add: (messages) => history.addMessages(messages),
    async newest(limit) {
      const all = await history.getMessages();
      return limit === undefined ? all : all.slice(-limit);
    },
    // It knows nothing but names, and one of them makes a client of its own: so it is kept, to its advantage.
    again: () => conversation(history),
  });
  const batch = (items: readonly AgentInputItem[]) =>
    items.map((item) =>
      (item as { role: string }).role === 'user'
        ? new HumanMessage(textOf(item))
        : new AIMessage(textOf(item)),
    );
  return {
    name,
    batch,
    async begin(items) {
      const sessionId = `langchain-${crypto.randomUUID()}`;
      const history = open(sessionId);
      if (items.length > 0) await fill(history, sessionId, batch(items));
      return conversation(history);
    },
  };
}
