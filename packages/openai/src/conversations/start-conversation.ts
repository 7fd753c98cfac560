import { OpenAI } from 'openai';
import type { ConversationsClient } from '../clients.ts';

/**
 * Creates a conversation, to be used as the `conversationId` of sessions.
 *
 * @param client - by default one made from the environment (`OPENAI_API_KEY`)
 * @returns its id
 * @throws what the client throws
 */
export async function startOpenAIConversationsSession(
  client: ConversationsClient = new OpenAI(),
): Promise<string> {
  const { id } = await client.conversations.create({ items: [] });
  return id;
}
