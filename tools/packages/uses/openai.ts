import { isSessionError } from '@sessions/core';
import { OpenAIConversationsSession, OpenAIResponsesCompactionSession } from '@sessions/openai';
import { APIConnectionError, OpenAI } from 'openai';

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1';

export async function use(): Promise<void> {
  const client = new OpenAI({ baseURL: NOWHERE, apiKey: 'none', maxRetries: 0 });
  const session = new OpenAIConversationsSession({ client, itemFormat: 'responses' });
  const failed = await session
    .addItems([{ role: 'user', content: 'Hello' }])
    .catch((error: unknown) => error);
  if (!(failed instanceof APIConnectionError)) throw failed;
  try {
    new OpenAIResponsesCompactionSession({ underlyingSession: session, client });
  } catch (error) {
    if (isSessionError(error, 'INVALID_ARGUMENT')) return;
    throw error;
  }
  throw new Error('A conversation was taken for compaction');
}
