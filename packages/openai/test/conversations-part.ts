import type { ConformanceAdapter, ConversationsPart, StartedAdapter } from '@sessions/conformance';
import { OpenAI } from 'openai';
import { OpenAIConversationsSession } from '../src/index.ts';

/** How the kit gets at Conversations sessions. */
export const conversations: ConversationsPart = {
  open({ baseURL, maxRetries = 0, ...options }) {
    const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries });
    return {
      session: new OpenAIConversationsSession({ client, itemFormat: 'responses', ...options }),
      client,
    };
  },
};

/** Any adapter, with Conversations sessions beside its own. */
export async function withConversations(start: () => Promise<StartedAdapter>): Promise<StartedAdapter> {
  const { adapter, stop } = await start();
  return { adapter: { ...adapter, conversations } satisfies ConformanceAdapter, stop };
}
