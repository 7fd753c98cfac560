import { type ApiItem, recordOf } from './api-item.ts';
import { toApiItem } from './to-api-item.ts';

/**
 * One and the same form for an item as it was saved and as the API gives it back: without the id, the `completed`
 * status and the defaults that the API spells out. It is for comparing only.
 */
export function comparableItem(item: unknown): ApiItem {
  // The API does not promise to keep a result's name.
  const { id, status, name, ...rest } = pruned(apiForm(item)) as ApiItem;
  const keptName = rest.type === 'function_call_output' ? undefined : name;
  return {
    ...rest,
    ...(status !== 'completed' && status !== undefined ? { status } : {}),
    ...(keptName === undefined ? {} : { name: keptName }),
    ...('role' in rest ? { content: parts(rest) } : {}),
  };
}

function apiForm(item: unknown): ApiItem {
  try {
    // What the API would not take is compared as it is, so that every item keeps its place.
    return toApiItem(item) ?? (item as ApiItem);
  } catch {
    return recordOf(item) ?? { item };
  }
}

function parts({ role, content }: ApiItem): unknown {
  if (typeof content !== 'string') return content;
  return [{ text: content, type: role === 'assistant' ? 'output_text' : 'input_text' }];
}

/** Without what says nothing: `null`, an empty list, the detail of an image that nobody chose. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  const record = recordOf(value);
  if (!record) return value;
  const said = Object.entries(record).filter(([name, entry]) => {
    if (entry === null || entry === undefined || (name === 'detail' && entry === 'auto')) return false;
    return !(Array.isArray(entry) && entry.length === 0);
  });
  return Object.fromEntries(said.map(([name, entry]) => [name, pruned(entry)]));
}
