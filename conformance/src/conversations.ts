import type { SessionSettings } from '@sessions/core';
import type { AnySession } from './adapter.ts';

/** How the kit wants a session over the Conversations API. */
export interface ConversationsWish {
  /** Where the kit plays the Conversations API: `{baseURL}/conversations`, and so on. Any key will do. */
  readonly baseURL: string;
  /** None if left out: the session is to create one when it needs it. */
  readonly conversationId?: string | undefined;
  readonly sessionSettings?: SessionSettings | undefined;
  /** How often the client sends again what failed; never if left out. */
  readonly maxRetries?: number | undefined;
}

/** A session over the Conversations API. Its items are the API's own. */
export type ConversationsSession = Omit<AnySession, 'sessionId'> & { sessionId: string };

/** What the kit looks at of the client, to see what it throws. */
export interface ConversationsClient {
  readonly conversations: {
    readonly items: { create(...given: never[]): PromiseLike<unknown> };
  };
}

/** How the kit gets at sessions over the Conversations API. */
export interface ConversationsPart {
  /** A session, and the client that it talks through, which is the session's alone. */
  open(wish: ConversationsWish): {
    readonly session: ConversationsSession;
    readonly client: ConversationsClient;
  };
}
