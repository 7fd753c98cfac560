import type { IncomingMessage, ServerResponse } from 'node:http';
import { PlayedApi } from './played-api.ts';

type Item = Readonly<Record<string, unknown>>;

/** What can be asked of the Conversations API, as far as a session needs it. */
export type ConversationsOperation = 'create' | 'delete' | 'list items' | 'add items' | 'delete item';

/** A request that came in. */
export interface ConversationsRequest {
  readonly operation: ConversationsOperation;
  readonly query: Readonly<Record<string, string>>;
  /** Of a request that adds some. */
  readonly items: readonly Item[];
  /** What became of it: `abandoned` is one whose client did not wait for the answer. */
  outcome: 'open' | 'answered' | 'abandoned';
}

const ROUTES: readonly [method: string, path: RegExp, operation: ConversationsOperation][] = [
  ['POST', /^\/v1\/conversations$/, 'create'],
  ['DELETE', /^\/v1\/conversations\/([^/]+)$/, 'delete'],
  ['GET', /^\/v1\/conversations\/([^/]+)\/items$/, 'list items'],
  ['POST', /^\/v1\/conversations\/([^/]+)\/items$/, 'add items'],
  ['DELETE', /^\/v1\/conversations\/([^/]+)\/items\/([^/]+)$/, 'delete item'],
];

/** The most items that one request may add, and as many are on a page where nobody says otherwise. */
const MAX_ITEMS = 20;

/** Plays the endpoints of conversations and their items. */
export class ConversationsApi extends PlayedApi {
  readonly #conversations = new Map<string, Item[]>();
  #count = 0;
  /** Every request, the oldest first. */
  readonly requests: ConversationsRequest[] = [];
  /** What happens before a request is done, if its client is still there then. */
  meanwhile: (request: ConversationsRequest) => unknown = () => undefined;
  /** The status of an error in the place of what was asked; `undefined` for none. */
  fault: (request: ConversationsRequest) => number | undefined = () => undefined;

  private constructor() {
    super();
  }

  static async start(): Promise<ConversationsApi> {
    const api = new ConversationsApi();
    await api.listen();
    return api;
  }

  /** The ids of all conversations that there are. */
  get ids(): string[] {
    return [...this.#conversations.keys()];
  }

  /** What a conversation holds, oldest first; `undefined` if there is none. */
  items(id: string): readonly Item[] | undefined {
    return this.#conversations.get(id);
  }

  /** Creates a conversation behind everybody's back. */
  begin(items: readonly Item[] = []): string {
    const id = `conv_${++this.#count}`;
    this.#conversations.set(id, []);
    this.append(id, items);
    return id;
  }

  /** Adds items behind everybody's back. */
  append(id: string, items: readonly Item[]): void {
    this.#conversations.get(id)!.push(...items.map((item) => this.#kept(item)));
  }

  /** What was asked since the last time. */
  asked(): ConversationsOperation[] {
    return this.requests.splice(0).map(({ operation }) => operation);
  }

  /** As the API keeps it: under an id, with the content in parts. */
  #kept({ content, ...rest }: Item): Item {
    const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : content;
    return { id: `msg_${++this.#count}`, status: 'completed', ...rest, content: parts };
  }

  protected async serve(
    { method, url }: IncomingMessage,
    body: string,
    response: ServerResponse,
  ): Promise<void> {
    const { pathname, searchParams } = new URL(url!, 'http://kit');
    const [[, path, operation] = []] = ROUTES.filter(
      (route) => route[0] === method && route[1].test(pathname),
    );
    if (!path || !operation) throw new Error(`There is no ${method} ${pathname}.`);
    const [, id = '', itemId = ''] = path.exec(pathname)!;
    const { items = [] } = (body === '' ? {} : JSON.parse(body)) as { items?: Item[] };
    const query = Object.fromEntries(searchParams);
    const request: ConversationsRequest = { operation, query, items, outcome: 'open' };
    this.requests.push(request);
    response.once('close', () => {
      request.outcome = response.writableFinished ? 'answered' : 'abandoned';
    });
    const fault = this.fault(request);
    await this.meanwhile(request);
    if (request.outcome === 'abandoned') return;
    const { status, body: answered } =
      fault === undefined ? this.#answer(request, id, itemId) : refusal(fault, 'The kit wants it so');
    // Whoever tries again need not wait.
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' });
    response.end(JSON.stringify(answered));
  }

  #answer({ operation, query, items }: ConversationsRequest, id: string, itemId: string): Answer {
    if (items.length > MAX_ITEMS) return refusal(400, `There are more than ${MAX_ITEMS} items`);
    if (operation === 'create') return { status: 200, body: conversation(this.begin(items)) };
    const held = this.#conversations.get(id);
    if (!held) return refusal(404, 'There is no such conversation');
    switch (operation) {
      case 'delete':
        this.#conversations.delete(id);
        return { status: 200, body: { id, object: 'conversation.deleted', deleted: true } };
      case 'add items':
        this.append(id, items);
        return { status: 200, body: listOf(held.slice(-items.length), false) };
      case 'list items': {
        const ordered = query.order === 'asc' ? held : held.toReversed();
        const start =
          query.after === undefined ? 0 : ordered.findIndex((item) => item.id === query.after) + 1;
        const page = ordered.slice(start, start + Number(query.limit ?? MAX_ITEMS));
        return { status: 200, body: listOf(page, start + page.length < ordered.length) };
      }
      case 'delete item': {
        const at = held.findIndex((item) => item.id === itemId);
        if (at < 0) return refusal(404, 'There is no such item');
        held.splice(at, 1);
        return { status: 200, body: conversation(id) };
      }
    }
  }
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

function conversation(id: string): object {
  return { id, object: 'conversation', created_at: 0, metadata: {} };
}

function listOf(items: readonly Item[], hasMore: boolean): object {
  const ids = { first_id: items[0]?.id ?? '', last_id: items.at(-1)?.id ?? '' };
  return { object: 'list', data: items, has_more: hasMore, ...ids };
}

function refusal(status: number, why: string): Answer {
  const error = { message: `${why}.`, type: 'invalid_request_error', param: null, code: null };
  return { status, body: { error } };
}
