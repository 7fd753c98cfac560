import { invalid, notFound } from './api-error.ts';
import { checkFollowers } from './check-input.ts';
import { type ApiItem, checkItems } from './check-items.ts';
import { newId, storedItem } from './stored-item.ts';

/** The most items that one request may add. */
const MAX_ITEMS = 20;
const DEFAULT_PAGE = 20;
const LARGEST_PAGE = 100;

export interface Conversation {
  readonly id: string;
  /** Whose it is; others do not know that it exists. */
  readonly project: string;
  readonly createdAt: number;
  metadata: unknown;
  readonly items: ApiItem[];
}

/** What is kept of all conversations, and what the endpoints do to it. */
export class Conversations {
  readonly #all = new Map<string, Conversation>();

  create(project: string, body: Readonly<Record<string, unknown>> = {}): Conversation {
    const { items = null, metadata = null } = body;
    const checked = items === null ? [] : this.#checked(items);
    const conversation: Conversation = {
      id: newId('conv'),
      project,
      createdAt: Math.floor(Date.now() / 1000),
      metadata: checkMetadata(metadata) ?? {},
      items: [],
    };
    this.append(conversation, checked);
    this.#all.set(conversation.id, conversation);
    return conversation;
  }

  /** @throws ApiError 404 for one that is not there, was deleted, or is another project's */
  get(project: string, id: string): Conversation {
    if (!id.startsWith('conv')) {
      throw invalid(
        `Invalid 'conversation_id': '${id}'. Expected an ID that begins with 'conv'.`,
        'conversation_id',
        'invalid_value',
      );
    }
    const found = this.#all.get(id);
    if (found?.project !== project) throw notFound(`Conversation with id '${id}' not found.`);
    return found;
  }

  /** What a test wants to see or change behind the clients' backs; `undefined` for one that is not there. */
  peek(id: string): Conversation | undefined {
    return this.#all.get(id);
  }

  all(): Conversation[] {
    return [...this.#all.values()];
  }

  update(conversation: Conversation, metadata: unknown): void {
    conversation.metadata = checkMetadata(metadata) ?? {};
  }

  /** Deletes a conversation. The published text says that its items stay; nothing leads to them any more. */
  delete({ id }: Conversation): void {
    this.#all.delete(id);
  }

  add(conversation: Conversation, items: unknown): ApiItem[] {
    if (items === undefined) {
      throw invalid("Missing required parameter: 'items'.", 'items', 'missing_required_parameter');
    }
    const checked = this.#checked(items);
    return this.append(conversation, checked);
  }

  /** Adds what was checked, or what a model said. */
  append(conversation: Conversation, items: readonly ApiItem[]): ApiItem[] {
    const added = items.map((item) => this.#resolved(conversation, item));
    const ids = new Set(conversation.items.map(({ id }) => id));
    for (const { id } of added) {
      // The published text does not say what happens; what `responses` says to the same is taken.
      if (ids.has(id))
        throw invalid(`Duplicate item found with id ${id}. Remove duplicate items and try again.`);
      ids.add(id);
    }
    conversation.items.push(...added);
    return added;
  }

  item(conversation: Conversation, id: string): ApiItem {
    const found = conversation.items.find((item) => item.id === id);
    if (!found) throw notFound(`Item with id '${id}' not found in conversation '${conversation.id}'.`);
    return found;
  }

  deleteItem(conversation: Conversation, id: string): void {
    conversation.items.splice(conversation.items.indexOf(this.item(conversation, id)), 1);
  }

  list(conversation: Conversation, query: ListQuery): { items: ApiItem[]; hasMore: boolean } {
    const ordered = query.order === 'asc' ? conversation.items : conversation.items.toReversed();
    // An `after` that is not there any more is as unknown as any other id.
    const start = query.after === undefined ? 0 : ordered.indexOf(this.item(conversation, query.after)) + 1;
    const items = ordered.slice(start, start + query.limit);
    return { items, hasMore: start + items.length < ordered.length };
  }

  #checked(items: unknown): ApiItem[] {
    if (Array.isArray(items) && items.length > MAX_ITEMS) {
      throw invalid(
        `Invalid 'items': array too long. Expected an array with maximum length ${MAX_ITEMS}, but got an array with length ${items.length} instead.`,
        'items',
        'array_above_max_length',
      );
    }
    // A reference may leave out its type.
    const typed = Array.isArray(items) ? items.map(withReferenceType) : items;
    const references = Array.isArray(typed) ? typed.filter(isReference) : [];
    checkItems(Array.isArray(typed) ? typed.filter((item) => !references.includes(item)) : typed, 'items');
    checkFollowers(typed as ApiItem[], 'items');
    return typed as ApiItem[];
  }

  /** The item itself, in the place of a reference to one that the project's conversations hold. */
  #resolved({ project }: Conversation, item: ApiItem): ApiItem {
    if (!isReference(item)) return storedItem(item);
    const found = this.all()
      .filter((one) => one.project === project)
      .flatMap(({ items }) => items)
      .find(({ id }) => id === item.id);
    if (!found) throw notFound(`Item with id '${String(item.id)}' not found.`);
    return structuredClone(found);
  }
}

export interface ListQuery {
  readonly order: 'asc' | 'desc';
  readonly after: string | undefined;
  readonly limit: number;
}

const LIST_PARAMETERS = ['after', 'include', 'include[]', 'limit', 'order'];

/** @throws ApiError 400 */
export function readListQuery(query: URLSearchParams): ListQuery {
  for (const name of query.keys()) {
    if (!LIST_PARAMETERS.includes(name))
      throw invalid(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  }
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') {
    throw invalid(
      `Invalid value: '${order}'. Supported values are: 'asc' and 'desc'.`,
      'order',
      'invalid_value',
    );
  }
  const text = query.get('limit');
  const limit = text === null ? DEFAULT_PAGE : Number(text);
  if (!Number.isInteger(limit) || text === '') {
    throw invalid("Invalid type for 'limit': expected an integer.", 'limit', 'invalid_type');
  }
  if (limit < 1) {
    throw invalid(
      `Invalid 'limit': integer below minimum value. Expected a value >= 1, but got ${limit} instead.`,
      'limit',
      'integer_below_min_value',
    );
  }
  if (limit > LARGEST_PAGE) {
    throw invalid(
      `Invalid 'limit': integer above maximum value. Expected a value <= ${LARGEST_PAGE}, but got ${limit} instead.`,
      'limit',
      'integer_above_max_value',
    );
  }
  return { order, after: query.get('after') ?? undefined, limit };
}

function isReference(item: unknown): item is ApiItem {
  return typeof item === 'object' && item !== null && (item as ApiItem).type === 'item_reference';
}

function withReferenceType(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const keys = Object.keys(item);
  const isBare = keys.length === 1 && keys[0] === 'id';
  return isBare || ((item as ApiItem).type === null && keys.length === 2)
    ? { ...item, type: 'item_reference' }
    : item;
}

function checkMetadata(metadata: unknown): unknown {
  if (metadata === null || metadata === undefined) return undefined;
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    throw invalid("Invalid type for 'metadata': expected an object.", 'metadata', 'invalid_type');
  }
  const entries = Object.entries(metadata);
  const fits = entries.every(
    ([key, value]) => key.length <= 64 && typeof value === 'string' && value.length <= 512,
  );
  if (entries.length > 16 || !fits) {
    throw invalid("Invalid 'metadata': at most 16 pairs of strings.", 'metadata', 'invalid_value');
  }
  return metadata;
}
