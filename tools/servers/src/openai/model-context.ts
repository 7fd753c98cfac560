import { invalid, notFound } from './api-error.ts';
import { checkCalls, checkDuplicates, checkFollowers, type ReasoningPairs } from './check-input.ts';
import { type ApiItem, checkItems } from './check-items.ts';
import type { Conversation, Conversations } from './conversations.ts';
import { storedItem } from './stored-item.ts';

/** A response that can be followed by its id. */
export interface KeptResponse {
  readonly project: string;
  /** All that the model had seen and said by then. */
  readonly items: readonly ApiItem[];
  readonly response: Readonly<Record<string, unknown>>;
}

/** What a model is given. */
export interface ModelContext {
  /** What came with this request. */
  readonly input: ApiItem[];
  /** That, after all that went before. */
  readonly items: ApiItem[];
  readonly conversation: Conversation | undefined;
}

interface Known {
  readonly responses: ReadonlyMap<string, KeptResponse>;
  readonly conversations: Conversations;
  readonly pairs: ReasoningPairs;
}

/**
 * Puts together what a model is given, and holds it to what a model takes.
 *
 * @throws ApiError 400 or 404
 */
export function modelContext(
  project: string,
  body: Readonly<Record<string, unknown>>,
  { responses, conversations, pairs }: Known,
): ModelContext {
  const { input = null, previous_response_id: previous = null, conversation: wanted = null } = body;
  if (previous !== null && wanted !== null) {
    throw invalid("'previous_response_id' cannot be used with 'conversation'.", 'previous_response_id');
  }
  const kept = typeof previous === 'string' ? responses.get(previous) : undefined;
  if (previous !== null && kept?.project !== project) {
    throw invalid(
      `Previous response with id '${String(previous)}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    );
  }
  const conversation = wanted === null ? undefined : conversations.get(project, idOf(wanted));
  const before = kept?.items ?? conversation?.items ?? [];
  const given = inputItems(input, before, conversations, project);
  const items = [...before, ...given];
  if (items.length === 0) {
    throw invalid("Missing required parameter: 'input'.", 'input', 'missing_required_parameter');
  }
  checkDuplicates(items);
  checkFollowers(items, 'input');
  pairs.check(items);
  checkCalls(items);
  return { input: given, items, conversation };
}

function inputItems(
  input: unknown,
  before: readonly ApiItem[],
  conversations: Conversations,
  project: string,
): ApiItem[] {
  if (input === null) return [];
  if (typeof input === 'string') return [storedItem({ type: 'message', role: 'user', content: input })];
  if (!Array.isArray(input)) {
    throw invalid("Invalid type for 'input': expected a string or an array.", 'input', 'invalid_type');
  }
  const resolved = input.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) return item;
    const { type, id } = item as ApiItem;
    if (type !== 'item_reference') return item;
    const everywhere = conversations.all().filter((one) => one.project === project);
    const found = [...before, ...everywhere.flatMap(({ items }) => items)].find((one) => one.id === id);
    if (!found) throw notFound(`Item with id '${String(id)}' not found.`);
    return found;
  });
  checkItems(resolved, 'input');
  return resolved.map(storedItem);
}

function idOf(conversation: unknown): string {
  if (typeof conversation === 'string') return conversation;
  const { id } = Object(conversation) as { id?: unknown };
  if (typeof id === 'string') return id;
  throw invalid("Invalid type for 'conversation': expected an id.", 'conversation', 'invalid_type');
}
