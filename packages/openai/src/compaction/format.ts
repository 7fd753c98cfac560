import { API_ITEM_TYPES, type ApiItem, recordOf } from '../items/api-item.ts';
import type { ItemFormat } from '../items/prepared-items.ts';
import { toApiItem } from '../items/to-api-item.ts';

/** Whose items a history holds. What both have in common tells nothing, and then it does not matter. */
export function formatOf(items: readonly unknown[]): ItemFormat {
  return items.some(isApisOwn) ? 'responses' : 'agents';
}

/**
 * A stored item as the API takes it.
 *
 * @returns `undefined` for reasoning with neither an id nor encrypted content, which the API refuses
 * @throws NotAnApiItem
 */
export function apiFormOf(item: unknown, format: ItemFormat): ApiItem | undefined {
  if (format === 'agents' && !isApisOwn(item)) return toApiItem(item);
  const given = item as ApiItem;
  const { type = 'message', id, role, encrypted_content: encrypted } = given;
  if (type === 'reasoning' && typeof id !== 'string' && typeof encrypted !== 'string') return undefined;
  // The API gives them ids, and has none in what it takes.
  return type === 'message' && role !== 'assistant' ? withoutId(given) : given;
}

export function withoutId({ id, ...rest }: ApiItem): ApiItem {
  return rest;
}

/** Types that bear the same name in the Agents SDK. */
const SHARED_TYPES: ReadonlySet<string> = new Set([
  'message',
  'function_call',
  'reasoning',
  'compaction',
  'computer_call',
  'tool_search_call',
  'tool_search_output',
  'program',
  'program_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
]);

/** Whether an item can only be the API's own. */
function isApisOwn(item: unknown): boolean {
  const { type = 'message', content, ...fields } = recordOf(item) ?? {};
  if (typeof type !== 'string' || !API_ITEM_TYPES.has(type)) return false;
  if (!SHARED_TYPES.has(type)) return true;
  switch (type) {
    case 'message':
      return fields.role === 'developer' || (Array.isArray(content) && content.some(isApisOwnPart));
    case 'reasoning':
      return 'summary' in fields || 'encrypted_content' in fields;
    case 'compaction':
    case 'tool_search_call':
    case 'tool_search_output':
      return false;
    default:
      return 'call_id' in fields;
  }
}

function isApisOwnPart(part: unknown): boolean {
  const fields = recordOf(part) ?? {};
  return ['annotations', 'image_url', 'file_id', 'file_data', 'file_url'].some((name) => name in fields);
}
