import { randomBytes } from 'node:crypto';
import type { ApiItem } from './check-items.ts';

/** What the ids of each type begin with. */
const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  computer_call_output: 'cuo',
  compaction: 'cmp',
  tool_search_call: 'tsc',
  tool_search_output: 'tso',
  additional_tools: 'at',
  configuration_update: 'cu',
  shell_call: 'sh',
  shell_call_output: 'sho',
  apply_patch_call: 'apc',
  apply_patch_call_output: 'apco',
  mcp_approval_response: 'mcpr',
};

/** Types whose status the API fills in. */
const WITH_STATUS = new Set([
  'function_call',
  'function_call_output',
  'computer_call_output',
  'tool_search_call',
  'tool_search_output',
  'shell_call',
  'shell_call_output',
]);

/** A fresh id, as long as those of the API. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(24).toString('hex')}`;
}

/** What the API makes of a checked item: an id, a status, content as a list of parts, and defaults spelled out. */
export function storedItem(given: ApiItem): ApiItem {
  const { id, type = 'message', ...rest } = given;
  const item: ApiItem = {
    id: typeof id === 'string' ? id : newId(PREFIXES[type as string] ?? 'item'),
    type,
    ...rest,
  };
  if (WITH_STATUS.has(type as string)) item.status ??= 'completed';
  switch (type) {
    case 'message':
      item.status ??= 'completed';
      item.content = storedContent(item);
      if (item.phase === null) delete item.phase;
      break;
    case 'function_call_output':
    case 'custom_tool_call_output':
      if (Array.isArray(item.output)) item.output = (item.output as ApiItem[]).map(storedPart);
      break;
    case 'tool_search_call':
    case 'tool_search_output':
      item.call_id ??= null;
      item.execution ??= 'server';
      break;
    case 'shell_call':
      item.action = { timeout_ms: null, max_output_length: null, ...(item.action as ApiItem) };
      item.environment ??= null;
      break;
    case 'shell_call_output':
      item.max_output_length ??= null;
      break;
  }
  return item;
}

function storedContent({ role, content }: ApiItem): ApiItem[] {
  const said =
    role === 'assistant' ? { type: 'output_text', annotations: [], logprobs: [] } : { type: 'input_text' };
  if (typeof content === 'string') return [{ ...said, text: content }];
  return (content as ApiItem[]).map(storedPart);
}

function storedPart(part: ApiItem): ApiItem {
  switch (part.type) {
    case 'input_image':
      return {
        ...part,
        image_url: part.image_url ?? null,
        file_id: part.file_id ?? null,
        detail: part.detail ?? 'auto',
      };
    case 'output_text':
      return { ...part, logprobs: part.logprobs ?? [] };
    default:
      return part;
  }
}
