import { SessionError } from '@sessions/core';
import { type ApiItem, recordOf } from '../items/api-item.ts';
import type { ItemFormat } from '../items/prepared-items.ts';
import { toAgentItem } from '../items/to-agent-item.ts';
import { withoutId } from './format.ts';
import { orphansOf } from './orphans.ts';

/**
 * What the API gave for a history, as it is stored (CMP-5).
 *
 * @throws SessionError `INCOMPATIBLE_STORE` if that is no list of items (CMP-4)
 */
export function compactionOutput(output: unknown, format: ItemFormat): unknown[] {
  if (!Array.isArray(output) || !output.every(recordOf)) {
    throw new SessionError('INCOMPATIBLE_STORE', {
      message: 'The API gave no list of items for the compaction. The history is unchanged.',
      adapter: 'openai',
    });
  }
  const items = output as ApiItem[];
  const orphans = orphansOf(items);
  return items
    .map((item, at) => (orphans.has(at) ? withoutId(item) : item))
    .map((item) => (format === 'agents' ? toAgentItem(item) : item));
}
