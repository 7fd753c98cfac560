/// <reference lib="esnext.disposable" preserve="true" />
import {
  AbstractSession,
  type AgentItem,
  awaitSessionMutation,
  resolveSessionLimit,
  type SessionCallOptions,
  SessionError,
  type SessionSettings,
} from '@sessions/core';
import {
  type Call,
  Calls,
  checkProtocolVersion,
  checkSessionId,
  inAdapter,
  invalidArgument,
  resolveStoreOptions,
} from '@sessions/core/store';
import { OpenAI } from 'openai';
import type { ResponseIncludable, ResponseInputItem } from 'openai/resources/responses/responses';
import type { ConversationsClient } from '../clients.ts';
import type { ApiItem } from '../items/api-item.ts';
import { comparableItem } from '../items/comparable-item.ts';
import { type ItemFormat, preparedItems } from '../items/prepared-items.ts';
import { toAgentItem } from '../items/to-agent-item.ts';
import { CONVERSATION } from './conversation-mark.ts';
import { itemRequests } from './item-requests.ts';
import { type Ask, newestItems } from './newest-items.ts';
import { replayedItem } from './replayed-item.ts';

/** The items of each format. */
export type ItemOf<TFormat extends ItemFormat> = TFormat extends 'responses' ? ResponseInputItem : AgentItem;

/** What an {@link OpenAIConversationsSession} is built with. */
export interface OpenAIConversationsSessionOptions<TFormat extends ItemFormat = ItemFormat> {
  /** A conversation that there is already. Left out, one is created at the first call that needs it (CONV-1). */
  conversationId?: string | undefined;
  /** The application's client. By default one made from the environment (`OPENAI_API_KEY`). */
  client?: ConversationsClient | undefined;
  /** Defaults of the instance, such as a window for `getItems()`. */
  sessionSettings?: SessionSettings | undefined;
  /**
   * Whose items the session gives and takes. `agents`: the Agents SDK's, for `run()`. `responses`: the API's own,
   * for `responses.create()`. `agents` by default.
   */
  itemFormat?: TFormat | undefined;
  /** What the API is asked to add to the items that are read. Nothing by default. */
  include?: ResponseIncludable[] | undefined;
  /**
   * The longest that a call may take, in milliseconds, its place in the queue and all its requests included
   * (FLT-2). By default only the client's own `timeout` and `maxRetries` bound each request.
   */
  timeoutMs?: number | undefined;
}

/** What errors bear. */
const ADAPTER = 'openai';

/** The longest that the platform's timers can wait. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * A session whose store is OpenAI's Conversations API: a conversation is the history, and its id the session's.
 *
 * What the client throws comes through as the same object (CONV-4). Reads and writes through one instance take
 * effect one after another, in the order in which they were called; several instances of one conversation have no
 * order, and of two concurrent pops there both may get the same item.
 */
export class OpenAIConversationsSession<TFormat extends ItemFormat = 'agents'>
  extends AbstractSession<ItemOf<TFormat>>
  implements AsyncDisposable
{
  readonly #client: ConversationsClient;
  readonly #format: ItemFormat;
  readonly #include: ResponseIncludable[] | undefined;
  readonly #calls: Calls;
  #conversationId: string | undefined;

  /**
   * @throws SessionError `INVALID_SESSION_ID`, `INVALID_ARGUMENT`, `INVALID_LIMIT`, `INCOMPATIBLE_STORE`; without a
   *   `client`, what making one throws
   */
  constructor(options: OpenAIConversationsSessionOptions<TFormat> = {}) {
    super();
    try {
      checkProtocolVersion('1.0');
      const { conversationId, client, itemFormat = 'agents', include, timeoutMs = NO_TIMEOUT_MS } = options;
      if (conversationId !== undefined) this.#conversationId = checkSessionId(conversationId);
      const resolved = resolveStoreOptions({ sessionSettings: options.sessionSettings, timeoutMs });
      this.sessionSettings = resolved.sessionSettings;
      this.#calls = new Calls(ADAPTER, resolved.timeoutMs);
      if (itemFormat !== 'agents' && itemFormat !== 'responses') {
        invalidArgument("`itemFormat` must be 'agents' or 'responses'");
      }
      this.#format = itemFormat;
      this.#include = include && [...include];
      if (client !== undefined && !isClient(client))
        invalidArgument('`client` must be one of the `openai` package');
      this.#client = client ?? new OpenAI();
    } catch (error) {
      throw inAdapter(error, ADAPTER);
    }
  }

  /** @internal */
  get [CONVERSATION](): true {
    return true;
  }

  /**
   * The conversation's id (CONV-2). Setting it makes the calls whose turn comes afterwards use another conversation.
   *
   * @throws SessionError `SESSION_NOT_STARTED` while there is none; setting it, `INVALID_SESSION_ID`
   */
  override get sessionId(): string {
    if (this.#conversationId === undefined)
      throw new SessionError('SESSION_NOT_STARTED', { adapter: ADAPTER });
    return this.#conversationId;
  }

  override set sessionId(conversationId: string) {
    try {
      this.#conversationId = checkSessionId(conversationId);
    } catch (error) {
      throw inAdapter(error, ADAPTER);
    }
  }

  /**
   * The conversation's id. Creates the conversation if there is none yet: once, however many callers wait (CONV-1).
   *
   * @throws SessionError `CLOSED`; what the client throws
   */
  override getSessionId(options?: SessionCallOptions): Promise<string> {
    return this.#calls.make(options, () => (call) => this.#started(call, options)) as Promise<string>;
  }

  /**
   * Reads the newest items, oldest first, with the fields that the API sent (CONV-3): page by page, and no more pages
   * than are needed.
   *
   * @param limit - how many at the most; all if left out or `Infinity`, none and no request at 0 or below
   * @throws SessionError `INVALID_LIMIT`, `CLOSED`; what the client throws
   */
  override async getItems(limit?: number, options?: SessionCallOptions): Promise<ItemOf<TFormat>[]> {
    const items = await this.#calls.make(options, () => {
      const wanted = resolveSessionLimit(limit, this.sessionSettings);
      if (wanted === 0) return undefined;
      return async (call) => this.#newest(wanted, await this.#started(call, options), call);
    });
    return items?.map((item) => this.#given(item)) ?? [];
  }

  /**
   * Appends items in order, in requests of at most 20 (CONV-4). One request is sent again by the client as it is
   * configured; of several none is. When one of several fails or is cancelled, those before it stay saved and those
   * after it are not sent: read the history before you add the rest.
   *
   * @param items - plain data, copied before the method first yields (ADD-4). `[]` makes no request. Of the Agents
   *   SDK's items, reasoning with neither an id nor encrypted content is left out, since the API would refuse it.
   * @throws SessionError `INVALID_ITEM` with `index` and `path`, `ITEM_TOO_LARGE`, `INVALID_ARGUMENT`, `CLOSED`;
   *   what the client throws
   */
  override async addItems(items: ItemOf<TFormat>[], options?: SessionCallOptions): Promise<void> {
    await this.#calls.make(options, () => {
      const requests = itemRequests(preparedItems(items, this.#format));
      if (requests.length === 0) return undefined;
      return async (call) => {
        const id = await this.#started(call, options);
        if (requests.length === 1) await this.#addOnce(id, requests[0]!, call, options);
        else await this.#addInTurn(id, requests, call, options);
      };
    });
  }

  /**
   * Reads the newest item and deletes it by its id; `undefined` if there is none (CONV-5).
   *
   * Of n concurrent pops through this instance each gets a different item; through several instances not.
   *
   * @throws SessionError `CLOSED`; what the client throws, which is a 404 if the item was deleted by somebody else
   */
  override async popItem(options?: SessionCallOptions): Promise<ItemOf<TFormat> | undefined> {
    const item = await this.#calls.make(options, () => async (call) => {
      const conversation_id = await this.#started(call, options);
      const [newest] = await this.#newest(1, conversation_id, call);
      if (!newest) return undefined;
      const deleting = this.#write(call, (request) => {
        return this.#client.conversations.items.delete(String(newest.id), { conversation_id }, request);
      });
      await awaitSessionMutation(deleting, { signal: options?.signal });
      return newest;
    });
    return item && this.#given(item);
  }

  /**
   * Deletes the conversation, and forgets its id if that is still the same; the next call creates another (CONV-6).
   * Makes no request if there is none. One that the API does not know counts as deleted (CLR-4).
   *
   * @throws SessionError `CLOSED`; what the client throws, and then the id is kept
   */
  override async clearSession(options?: SessionCallOptions): Promise<void> {
    await this.#calls.make(options, () => async (call) => {
      const id = this.#conversationId;
      if (id === undefined) return;
      await awaitSessionMutation(this.#delete(id, call), { signal: options?.signal });
    });
  }

  /**
   * What the Agents SDK's runner asks of each stored item before it is shown to a model: the ids that the API gave
   * stay behind, for it takes none of them without the reasoning that led to it.
   */
  prepareHistoryItemForModelInput(item: ItemOf<TFormat>): ItemOf<TFormat> {
    return this.#format === 'agents' ? (replayedItem(item as ApiItem) as ItemOf<TFormat>) : item;
  }

  /** What the runner compares in the place of items, so that one that was saved is recognised when it is read. */
  prepareHistoryItemsForPersistenceComparison(items: ItemOf<TFormat>[]): ItemOf<TFormat>[] {
    return this.#format === 'agents' ? (items.map(comparableItem) as unknown as ItemOf<TFormat>[]) : items;
  }

  /** Tells the runner to keep the ids of reasoning in what it saves: the API takes none without. */
  preserveReasoningItemIdsForPersistence(): boolean {
    return true;
  }

  /**
   * Ends this instance: every method rejects with `CLOSED` from now on, and so do the calls that wait for their turn
   * or for a read. A write under way is waited for. The conversation and the client stay (LIFE-1, LIFE-2).
   */
  async close(): Promise<void> {
    await this.#calls.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The conversation's id, once there is one. It is kept even if the caller who created it did not wait (CONV-1). */
  async #started(call: Call, options: SessionCallOptions | undefined): Promise<string> {
    if (this.#conversationId !== undefined) return this.#conversationId;
    const creating = this.#write(call, (request) => {
      return this.#client.conversations.create({ items: [] }, request);
    });
    const started = creating.then(({ id }) => {
      this.#conversationId ??= id;
      return this.#conversationId;
    });
    return awaitSessionMutation(started, { signal: options?.signal });
  }

  async #newest(limit: number | undefined, id: string, call: Call): Promise<ApiItem[]> {
    const ask: Ask = (request) => this.#send(call, request, (sent) => call.wait(sent));
    return newestItems(this.#client, id, limit, this.#include, ask);
  }

  /** Adds what fits into one request. Cancelled, it is aborted, and may have been applied all the same. */
  #addOnce(
    id: string,
    items: ApiItem[],
    call: Call,
    options: SessionCallOptions | undefined,
  ): Promise<unknown> {
    const adding = this.#write(call, ({ signal }) => {
      const signals = options?.signal ? [signal, options.signal] : [signal];
      return this.#client.conversations.items.create(id, asParams(items), {
        signal: AbortSignal.any(signals),
      });
    });
    return awaitSessionMutation(adding, { signal: options?.signal });
  }

  /** Adds more than that, request by request. Cancelled, it waits for the one under way and sends no other. */
  async #addInTurn(
    id: string,
    requests: ApiItem[][],
    call: Call,
    options: SessionCallOptions | undefined,
  ): Promise<void> {
    for (const [at, items] of requests.entries()) {
      // Not `UNAVAILABLE`, for something was written.
      if (at > 0 && call.isTimeUp) throw new SessionError('OUTCOME_UNKNOWN');
      const adding = this.#write(call, ({ signal }) => {
        // Sent again after a lost reply, the items would be there twice.
        return this.#client.conversations.items.create(id, asParams(items), { signal, maxRetries: 0 });
      });
      await awaitSessionMutation(adding, { signal: options?.signal });
    }
  }

  async #delete(id: string, call: Call): Promise<void> {
    try {
      await this.#write(call, (request) => this.#client.conversations.delete(id, request));
    } catch (error) {
      if ((Object(error) as { status?: unknown }).status !== 404) throw error;
    }
    if (this.#conversationId === id) this.#conversationId = undefined;
  }

  /** A request that changes something: once sent, it is waited for. */
  #write<T>(call: Call, request: (options: { signal: AbortSignal }) => PromiseLike<T>): Promise<T> {
    return this.#send(call, request, (sent) => call.settle(sent));
  }

  /** Sends a request if the call still stands, and aborts it when nobody waits any more. */
  async #send<T>(
    call: Call,
    request: (options: { signal: AbortSignal }) => PromiseLike<T>,
    wait: (sent: PromiseLike<T>) => Promise<T>,
  ): Promise<T> {
    if (call.givenUp) throw call.givenUp.reason;
    if (call.isTimeUp) throw new SessionError('UNAVAILABLE');
    const left = new AbortController();
    try {
      return await wait(request({ signal: left.signal }));
    } catch (error) {
      left.abort();
      throw error;
    }
  }

  #given(item: ApiItem): ItemOf<TFormat> {
    return (this.#format === 'agents' ? toAgentItem(item) : item) as ItemOf<TFormat>;
  }
}

function isClient(client: unknown): client is ConversationsClient {
  const { conversations } = Object(client) as { conversations?: { items?: unknown } };
  return typeof conversations?.items === 'object';
}

/** They are checked where the API checks them, and by nobody else. */
function asParams(items: ApiItem[]): { items: ResponseInputItem[] } {
  return { items: items as unknown as ResponseInputItem[] };
}
