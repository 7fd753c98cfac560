import { ApiError, invalid } from './api-error.ts';
import { type Conversation, type Conversations, readListQuery } from './conversations.ts';
import type { Operation } from './faults.ts';
import type { Responses } from './responses.ts';

/** One request, as far as it was understood. */
export interface ApiRequest {
  readonly operation: Operation;
  readonly project: string;
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const ROUTES: readonly [method: string, path: RegExp, operation: Operation][] = [
  ['POST', /^\/v1\/conversations$/, 'conversations.create'],
  ['GET', /^\/v1\/conversations\/([^/]+)$/, 'conversations.retrieve'],
  ['POST', /^\/v1\/conversations\/([^/]+)$/, 'conversations.update'],
  ['DELETE', /^\/v1\/conversations\/([^/]+)$/, 'conversations.delete'],
  ['POST', /^\/v1\/conversations\/([^/]+)\/items$/, 'items.create'],
  ['GET', /^\/v1\/conversations\/([^/]+)\/items$/, 'items.list'],
  ['GET', /^\/v1\/conversations\/([^/]+)\/items\/([^/]+)$/, 'items.retrieve'],
  ['DELETE', /^\/v1\/conversations\/([^/]+)\/items\/([^/]+)$/, 'items.delete'],
  ['POST', /^\/v1\/responses$/, 'responses.create'],
  ['POST', /^\/v1\/responses\/compact$/, 'responses.compact'],
  ['GET', /^\/v1\/responses\/([^/]+)$/, 'responses.retrieve'],
];

/** Which operation a request is of, and the ids in its path. */
export function route(method: string, path: string): Pick<ApiRequest, 'operation' | 'ids'> | undefined {
  for (const [wanted, pattern, operation] of ROUTES) {
    const match = method === wanted ? pattern.exec(path) : null;
    if (match) return { operation, ids: match.slice(1).map(decodeURIComponent) };
  }
  return undefined;
}

/** Does what a request asks for. @throws ApiError */
export function answer(
  { operation, project, ids, query, body }: ApiRequest,
  conversations: Conversations,
  responses: Responses,
): unknown {
  const conversation = () => conversations.get(project, ids[0]!);
  switch (operation) {
    case 'conversations.create': {
      const created = conversations.create(project, bodyOf(body ?? {}, ['items', 'metadata']));
      responses.remember(created.items);
      return resource(created);
    }
    case 'conversations.retrieve':
      return resource(conversation());
    case 'conversations.update': {
      const found = conversation();
      conversations.update(found, bodyOf(body, ['metadata']).metadata);
      return resource(found);
    }
    case 'conversations.delete': {
      const found = conversation();
      conversations.delete(found);
      return { id: found.id, object: 'conversation.deleted', deleted: true };
    }
    case 'items.create': {
      const added = conversations.add(conversation(), bodyOf(body, ['items']).items);
      responses.remember(added);
      return listOf(added, false);
    }
    case 'items.list': {
      const { items, hasMore } = conversations.list(conversation(), readListQuery(query));
      return listOf(items, hasMore);
    }
    case 'items.retrieve':
      return conversations.item(conversation(), ids[1]!);
    case 'items.delete': {
      const found = conversation();
      conversations.deleteItem(found, ids[1]!);
      return resource(found);
    }
    case 'responses.create':
      return responses.create(project, bodyOf(body));
    case 'responses.retrieve':
      return responses.retrieve(project, ids[0]!);
    case 'responses.compact':
      return responses.compact(project, bodyOf(body));
  }
}

export function unknownUrl(method: string, path: string): ApiError {
  return new ApiError(404, `Invalid URL (${method} ${path})`);
}

function bodyOf(body: unknown, known?: readonly string[]): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body of the request must be an object.');
  }
  for (const name of Object.keys(body)) {
    if (known && !known.includes(name)) {
      throw invalid(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
    }
  }
  return body as Record<string, unknown>;
}

function resource({ id, createdAt, metadata }: Conversation) {
  return { id, object: 'conversation', created_at: createdAt, metadata };
}

function listOf(data: readonly Record<string, unknown>[], has_more: boolean) {
  return {
    object: 'list',
    data,
    has_more,
    // Of an empty list the published schema says only that these are strings.
    first_id: data[0]?.id ?? '',
    last_id: data.at(-1)?.id ?? '',
  };
}
