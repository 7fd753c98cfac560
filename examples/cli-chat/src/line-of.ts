import type { AgentInputItem } from '@openai/agents';

/** One line for an item of the history. */
export function lineOf(item: AgentInputItem): string {
  if (item.type === 'function_call') return `tool       ${item.name} ${item.arguments}`;
  if (!('role' in item) || !('content' in item)) return `(${item.type})`;
  const { role, content } = item;
  const text =
    typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('');
  return `${role.padEnd(9)}  ${text}`;
}
