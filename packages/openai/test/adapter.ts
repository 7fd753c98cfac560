import type {
  Address,
  Capabilities,
  ConformanceAdapter,
  Connection,
  SessionRequest,
  StartedAdapter,
} from '@sessions/conformance';
import { DEFAULT_PROJECT, startOpenAI } from '@sessions/servers';
import { OpenAI } from 'openai';
import { OpenAIConversationsSession } from '../src/index.ts';
import { conversations } from './conversations-part.ts';
import { gaps } from './gaps.ts';
import { textOf } from './stand-in.ts';
import { type ConversationEntry, TextSession } from './text-session.ts';

const ONE_STEP =
  'The API changes a conversation in no other steps than: add up to 20 items, delete one item, delete all.';

const capabilities: Capabilities = {
  transactions: { unsupported: ONE_STEP },
  rewrites: { unsupported: ONE_STEP },
  replacement: { unsupported: ONE_STEP },
  expiry: { unsupported: 'The API keeps a conversation until it is deleted.' },
};

/** Conversations sessions on a stand-in for the API. The kit's ids stand for conversations, since the API gives its own. */
export async function startOpenAIAdapter(): Promise<StartedAdapter> {
  const api = await startOpenAI();
  const known = new Map<string, string>();
  const entryOf = ({ sessionId, namespace = '' }: SessionRequest): ConversationEntry => {
    const name = JSON.stringify([namespace, sessionId]);
    return {
      current() {
        const found = known.get(name);
        if (found !== undefined && api.conversations.peek(found)) return found;
        const { id } = api.conversations.create(DEFAULT_PROJECT);
        known.set(name, id);
        return id;
      },
      remember: (id) => void known.set(name, id),
    };
  };
  const build = (client: OpenAI, request: SessionRequest) => {
    const { sessionId, sessionSettings, timeoutMs } = request;
    const entry = entryOf(request);
    // What is no id at all is for the session to refuse.
    const conversationId = typeof sessionId === 'string' && sessionId !== '' ? entry.current() : sessionId;
    const session = new OpenAIConversationsSession({
      conversationId,
      client,
      sessionSettings,
      timeoutMs,
      itemFormat: 'responses',
    });
    return new TextSession(sessionId, session, entry);
  };
  const clientAt = ({ host, port }: Address, maxRetries = 2) =>
    new OpenAI({ baseURL: `http://${host}:${port}/v1`, apiKey: api.apiKey, maxRetries });
  const connect = (address: Address, maxRetries?: number): Connection => {
    const client = clientAt(address, maxRetries);
    return { session: (request) => build(client, request), close: async () => undefined };
  };
  const address = { host: api.host, port: api.port };
  const adapter: ConformanceAdapter = {
    name: 'openai',
    store: 'a stand-in for the Conversations API',
    capabilities,
    gaps,
    conversations,
    open: async (through = address) => connect(through),
    wire: {
      address,
      own: (request, through) => build(clientAt(through), request),
      openWithoutResending: async (through) => connect(through, 0),
    },
    processes: {
      unsupported: 'What the API promises to several instances is no more than to several processes.',
    },
    backdoor: {
      plant: { unsupported: 'The API keeps no item that it has not checked.' },
      async contents() {
        return api.conversations
          .all()
          .filter(({ items }) => items.length > 0) // One that holds nothing was made here, not by the session.
          .flatMap(({ id, items }) => [id, ...items.map((item) => JSON.stringify(item))]);
      },
      async records(sessionId) {
        return api.conversations.peek(entryOf({ sessionId }).current())?.items.map(textOf) ?? [];
      },
      throttle: { unsupported: 'How often and how long the API is asked again is set in its client.' },
      restart: { unsupported: 'The stand-in keeps what it holds in memory.' },
      removeDue: { unsupported: 'The API keeps a conversation until it is deleted.' },
      forget: { unsupported: 'The API keeps nothing for its clients.' },
    },
  };
  return { adapter, stop: () => api.stop() };
}
