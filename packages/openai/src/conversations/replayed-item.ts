import { API_ITEM_TYPES, type ApiItem, recordOf } from '../items/api-item.ts';
import { toApiItem } from '../items/to-api-item.ts';

/**
 * A stored item of the Agents SDK's as it is shown to a model again: without the id, unless its type needs one.
 *
 * An item with an id of the API's is refused without the reasoning item that it came after, and a run's own callbacks
 * may have cut that away; without the id it is taken as it is. An assistant's message needs none either, as `input`.
 */
export function replayedItem(item: ApiItem): ApiItem {
  if (item.role === 'assistant') {
    // Nor is what else the API said of it for the model: unknown names in a message are refused.
    const { id, providerData, ...rest } = item;
    const phase = rest.phase ?? recordOf(providerData)?.phase;
    return phase === undefined ? rest : { ...rest, phase };
  }
  const { id, ...rest } = item;
  if (item.type === 'unknown') {
    const { id: _, ...data } = recordOf(item.providerData) ?? {};
    return isGivenId(data) ? { ...rest, providerData: data } : item;
  }
  return isGivenId(apiForm(item)) ? rest : item;
}

/** Whether the API gave the item its id, and takes it without. */
function isGivenId(item: ApiItem | undefined): boolean {
  if (item?.type === 'message') return item.role !== 'assistant';
  return API_ITEM_TYPES.get(item?.type as string)?.needsId === false;
}

function apiForm(item: ApiItem): ApiItem | undefined {
  try {
    return toApiItem(item);
  } catch {
    return undefined;
  }
}
