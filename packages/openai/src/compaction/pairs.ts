import type { ApiItem } from '../items/api-item.ts';

/** The types of calls that somebody answers, and of the answers. */
const ANSWERS: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  computer_call: 'computer_call_output',
  shell_call: 'shell_call_output',
  local_shell_call: 'local_shell_call_output',
  apply_patch_call: 'apply_patch_call_output',
  tool_search_call: 'tool_search_output',
  program: 'program_output',
  mcp_approval_request: 'mcp_approval_response',
};
const ANSWER_TYPES: ReadonlySet<string> = new Set(Object.values(ANSWERS));

/**
 * Which items are one half of a call and its answer, the other half not being there: the API takes no such half, and the
 * other may still come (CMP-7).
 */
export function halvesOf(items: readonly (ApiItem | undefined)[]): Set<number> {
  const calls = new Map<string, number[]>();
  const answers = new Map<string, number[]>();
  for (const [at, item] of items.entries()) {
    const type = item?.type as string;
    const answer = ANSWERS[type];
    const [side, name] = answer ? [calls, answer] : [answers, ANSWER_TYPES.has(type) ? type : undefined];
    const id = name && callIdOf(item!);
    if (typeof id !== 'string') continue;
    const key = `${name} ${id}`;
    side.set(key, [...(side.get(key) ?? []), at]);
  }
  const alone = [
    ...[...calls].filter(([key]) => !answers.has(key)),
    ...[...answers].filter(([key]) => !calls.has(key)),
  ];
  return new Set(alone.flatMap(([, places]) => places));
}

/** What an answer has in common with its call. Calls that the API answers itself may have no such id. */
function callIdOf({ type, id, call_id, approval_request_id }: ApiItem): unknown {
  switch (type) {
    case 'mcp_approval_request':
    case 'local_shell_call_output':
      return id;
    case 'mcp_approval_response':
      return approval_request_id;
    default:
      return call_id;
  }
}

/** Whether an item is a model's own, rather than a person's, an instruction or an answer to a call. */
export function isGenerated({ type = 'message', role }: ApiItem): boolean {
  if (type === 'message') return role === 'assistant';
  return !ANSWER_TYPES.has(type as string) && !NOT_GENERATED.has(type as string);
}

const NOT_GENERATED: ReadonlySet<string> = new Set([
  'compaction',
  'compaction_trigger',
  'additional_tools',
  'configuration_update',
  'item_reference',
]);
