import type {
  ResponseCompactParams,
  ResponseIncludable,
  ResponseInputItem,
} from 'openai/resources/responses/responses';

/** How a request is sent. */
export interface RequestOptions {
  signal?: AbortSignal;
  maxRetries?: number;
}

/**
 * What an `OpenAIConversationsSession` needs of a client of the `openai` package.
 *
 * It names what is called and not the client's class, of which that package has two: one for `import`, one for `require`.
 * TypeScript takes neither for the other.
 */
export interface ConversationsClient {
  readonly conversations: {
    create(body: { items: ResponseInputItem[] }, options?: RequestOptions): PromiseLike<{ id: string }>;
    delete(conversationId: string, options?: RequestOptions): PromiseLike<unknown>;
    readonly items: {
      create(
        conversationId: string,
        body: { items: ResponseInputItem[] },
        options?: RequestOptions,
      ): PromiseLike<unknown>;
      list(conversationId: string, query: ItemQuery, options?: RequestOptions): PromiseLike<ItemPage>;
      delete(
        itemId: string,
        place: { conversation_id: string },
        options?: RequestOptions,
      ): PromiseLike<unknown>;
    };
  };
}

/** Which items of a conversation are asked for. */
export interface ItemQuery {
  order?: 'asc' | 'desc';
  include?: ResponseIncludable[];
  after?: string;
}

/** Some of them. */
export interface ItemPage {
  readonly has_more: boolean;
  getPaginatedItems(): unknown[];
}

/** What an `OpenAIResponsesCompactionSession` needs of one. */
export interface CompactionClient {
  readonly responses: {
    compact(
      request: ResponseCompactParams,
      options?: RequestOptions,
    ): PromiseLike<{ output: unknown; usage?: unknown }>;
  };
}
