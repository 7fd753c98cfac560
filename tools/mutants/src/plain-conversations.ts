import type { ConversationsSession, ConversationsWish } from '@sessions/conformance';
import { resolveSessionLimit, SessionError } from '@sessions/core';

export type Item = Readonly<Record<string, unknown>>;

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** What is used of the `openai` package's client. */
export interface Client {
  readonly conversations: {
    create(body: object): Promise<{ id: string }>;
    delete(id: string, options?: Options): Promise<unknown>;
    readonly items: {
      create(id: string, body: object, options?: Options & { maxRetries?: number }): Promise<unknown>;
      list(id: string, query: object, options?: Options): Promise<{ data: Item[]; has_more: boolean }>;
      delete(itemId: string, params: { conversation_id: string }, options?: Options): Promise<unknown>;
    };
  };
}

const MAX_ITEMS = 20;

/** A session over the Conversations API that keeps CONV and nothing else, in pieces of which each can be another. */
export class PlainConversations {
  readonly client: Client;
  readonly wish: ConversationsWish;
  id: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: Client, wish: ConversationsWish) {
    this.client = client;
    this.wish = wish;
    this.id = wish.conversationId;
  }

  get sessionId(): string {
    if (this.id === undefined) throw new SessionError('SESSION_NOT_STARTED');
    return this.id;
  }

  set sessionId(id: string) {
    this.id = id;
  }

  getSessionId(): Promise<string> {
    return this.inTurn(() => this.started());
  }

  async getItems(limit?: number): Promise<Item[]> {
    const wanted = resolveSessionLimit(limit, this.wish.sessionSettings);
    return wanted === 0 ? [] : this.inTurn(() => this.read(wanted));
  }

  async addItems(items: Item[], { signal }: Options = {}): Promise<void> {
    if (items.length > 0) await this.inTurn(() => this.write(items, signal));
  }

  popItem(): Promise<Item | undefined> {
    return this.inTurn(() => this.pop());
  }

  clearSession({ signal }: Options = {}): Promise<void> {
    return this.inTurn(() => this.clear(signal));
  }

  async close(): Promise<void> {
    await this.#last;
  }

  /** One call after another. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async started(): Promise<string> {
    this.id ??= await this.create();
    return this.id;
  }

  async create(): Promise<string> {
    const { id } = await this.client.conversations.create({ items: [] });
    return id;
  }

  async read(limit: number | undefined): Promise<Item[]> {
    const id = await this.started();
    const items: Item[] = [];
    for (let after: unknown; ; after = items.at(-1)?.id) {
      const page = await this.page(id, limit, after);
      items.push(...page.data);
      const isEnough = limit !== undefined && items.length >= limit;
      if (!page.has_more || isEnough) break;
    }
    return limit === undefined ? items : items.slice(0, limit).reverse();
  }

  page(id: string, limit: number | undefined, after: unknown): Promise<{ data: Item[]; has_more: boolean }> {
    const order = limit === undefined ? 'asc' : 'desc';
    return this.client.conversations.items.list(id, after === undefined ? { order } : { order, after });
  }

  async write(items: Item[], signal: AbortSignal | undefined): Promise<void> {
    const id = await this.started();
    const requests = this.requests(items);
    if (requests.length === 1) return this.writeOnce(id, items, signal);
    for (const request of requests) {
      await settled(this.send(id, request), signal);
    }
  }

  requests(items: Item[]): Item[][] {
    const count = Math.ceil(items.length / MAX_ITEMS);
    return Array.from({ length: count }, (_, at) => items.slice(at * MAX_ITEMS, (at + 1) * MAX_ITEMS));
  }

  /** One of several requests. */
  send(id: string, items: Item[]): Promise<unknown> {
    return this.client.conversations.items.create(id, { items }, { maxRetries: 0 });
  }

  async writeOnce(id: string, items: Item[], signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.client.conversations.items.create(id, { items }, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  async pop(): Promise<Item | undefined> {
    const [newest] = await this.read(1);
    if (newest) await this.remove(newest);
    return newest;
  }

  async remove(item: Item): Promise<void> {
    const conversation_id = await this.started();
    await this.client.conversations.items.delete(String(item.id), { conversation_id });
  }

  async clear(signal: AbortSignal | undefined): Promise<void> {
    const { id } = this;
    if (id === undefined) return;
    const deleting = this.client.conversations.delete(id).then(() => this.forget(id));
    await settled(deleting, signal);
  }

  forget(id: string): void {
    if (this.id === id) this.id = undefined;
  }
}

/** The session as the kit takes it. */
export function asSession(session: PlainConversations): ConversationsSession {
  return session as unknown as ConversationsSession;
}

/** Waits until something is done, and throws the signal's reason if it has fired by then. */
async function settled(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  try {
    await work;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  signal?.throwIfAborted();
}
