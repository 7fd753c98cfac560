import type { AnySession } from '@sessions/conformance';
import type { SessionCallOptions, SessionSettings } from '@sessions/core';
import { decodeRecord, encodeItems } from '@sessions/core/store';
import type { OpenAIConversationsSession } from '../src/index.ts';
import { message, textOf } from './stand-in.ts';

type Inner = OpenAIConversationsSession<'responses'>;

/** Where an application keeps which conversation is whose. */
export interface ConversationEntry {
  /** The conversation; another one when it is not there any more. */
  current(): string;
  /** Remembers another one. */
  remember(conversationId: string): void;
}

/**
 * A Conversations session as an application has it that knows its sessions by other ids, looks up the conversation before
 * each call, and remembers it afterwards.
 *
 * Its items may be anything: each is the text of a user's message. The API takes no items but those of its own types,
 * and the kit has others.
 */
export class TextSession implements AnySession {
  readonly sessionId: string;
  readonly #inner: Inner;
  readonly #entry: ConversationEntry;

  constructor(sessionId: string, inner: Inner, entry: ConversationEntry) {
    this.sessionId = sessionId;
    this.#inner = inner;
    this.#entry = entry;
  }

  get sessionSettings(): SessionSettings | undefined {
    return this.#inner.sessionSettings;
  }

  set sessionSettings(settings: SessionSettings | undefined) {
    this.#inner.sessionSettings = settings;
  }

  async getSessionId(): Promise<string> {
    await this.#call((inner) => inner.getSessionId());
    return this.sessionId;
  }

  async getItems(limit?: number, options?: SessionCallOptions): Promise<unknown[]> {
    const items = await this.#call((inner) => inner.getItems(limit, options));
    return items.map(itemOf);
  }

  async addItems(items: unknown[], options?: SessionCallOptions): Promise<void> {
    const messages = encodeItems(items).map(message);
    await this.#call((inner) => inner.addItems(messages, options));
  }

  async popItem(options?: SessionCallOptions): Promise<unknown> {
    const item = await this.#call((inner) => inner.popItem(options));
    return item && itemOf(item);
  }

  clearSession(options?: SessionCallOptions): Promise<void> {
    return this.#call((inner) => inner.clearSession(options));
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#inner.close();
  }

  async #call<T>(method: (inner: Inner) => Promise<T>): Promise<T> {
    this.#inner.sessionId = this.#entry.current();
    try {
      return await method(this.#inner);
    } finally {
      const id = startedId(this.#inner);
      if (id !== undefined) this.#entry.remember(id);
    }
  }
}

function startedId(inner: Inner): string | undefined {
  try {
    return inner.sessionId;
  } catch {
    return undefined;
  }
}

function itemOf(item: unknown): unknown {
  return decodeRecord(textOf(item));
}
