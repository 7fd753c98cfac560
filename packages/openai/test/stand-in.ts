import { type Operation, type RunningOpenAI, startOpenAI } from '@sessions/servers';
import { OpenAI } from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { afterEach, beforeEach } from 'vitest';
import {
  type ItemFormat,
  OpenAIConversationsSession,
  type OpenAIConversationsSessionOptions,
} from '../src/index.ts';

/** A stand-in for each test, and clients of it. */
export interface Bench {
  api: RunningOpenAI;
  client: OpenAI;
  /** One more client. */
  clientWith(options: { maxRetries?: number; timeout?: number; apiKey?: string }): OpenAI;
  /** A session of the API's own items. */
  session(
    options?: Omit<OpenAIConversationsSessionOptions, 'itemFormat'>,
  ): OpenAIConversationsSession<'responses'>;
  /** A session of the Agents SDK's items. */
  agentSession(options?: Omit<OpenAIConversationsSessionOptions, 'itemFormat'>): OpenAIConversationsSession;
  /** A new conversation that holds the messages m0, m1, …, made behind everybody's back. */
  conversationOf(count: number): string;
  /** What a conversation holds. */
  stored(conversationId: string): string[] | undefined;
  /** The operations that were asked for since the last time. */
  asked(): (Operation | undefined)[];
}

export function useStandIn(): Bench {
  const bench = {} as Bench;
  beforeEach(async () => {
    const api = await startOpenAI();
    const clientWith: Bench['clientWith'] = (options) =>
      new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey, maxRetries: 0, ...options });
    const client = clientWith({});
    const of = <TFormat extends ItemFormat>(itemFormat: TFormat, options: object = {}) =>
      new OpenAIConversationsSession<TFormat>({ client, itemFormat, ...options });
    Object.assign(bench, {
      api,
      client,
      clientWith,
      session: (options) => of('responses', options),
      agentSession: (options) => of('agents', options),
      conversationOf(count) {
        const conversation = api.conversations.create('proj_default');
        for (const item of messages(count)) api.conversations.add(conversation, [item]);
        return conversation.id;
      },
      stored: (id) => api.conversations.peek(id)?.items.map(textOf),
      asked() {
        const operations = api.requests.operations();
        api.requests.clear();
        return operations;
      },
    } satisfies Bench);
  });
  afterEach(() => bench.api.stop());
  return bench;
}

export function message(text: string): ResponseInputItem {
  return { type: 'message', role: 'user', content: text };
}

/** m0, m1, … */
export function messages(count: number): ResponseInputItem[] {
  return Array.from({ length: count }, (_, at) => message(`m${at}`));
}

/** What a message says; of any other item the type. */
export function textOf(item: unknown): string {
  const { type, content } = item as { type: string; content?: string | { text: string }[] };
  if (content === undefined) return type;
  return typeof content === 'string' ? content : content.map(({ text }) => text).join();
}

export function names(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => `m${from + at}`);
}

/** What is thrown. */
export async function thrown(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
