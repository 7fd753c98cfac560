import { describe, expect, it } from 'vitest';
import { replayedItem } from '../src/conversations/replayed-item.ts';
import { toAgentItem } from '../src/items/to-agent-item.ts';
import { toApiItem } from '../src/items/to-api-item.ts';
import { apiSamples } from './samples.ts';

/** What a model takes with its id only. */
const WITH_ID = [
  'reasoning',
  'file_search_call',
  'web_search_call',
  'image_generation_call',
  'code_interpreter_call',
  'computer_call',
  'local_shell_call',
  'local_shell_call_output',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_call',
  'program',
  'program_output',
];

describe('what a model is shown again', () => {
  const items = Object.values(apiSamples)
    .flat()
    .map((item) => ({ name: `${item.type} ${item.id}`, item }));

  it.each(items)('$name has no id of the API’s unless it needs one', ({ item }) => {
    const replayed = replayedItem(toAgentItem(item));
    expect(replayed.id !== undefined).toBe(WITH_ID.includes(item.type as string));
    if (replayed.type === 'unknown') {
      const { id } = replayed.providerData as { id?: string };
      expect(id !== undefined).toBe(replayed.id !== undefined);
    }
  });

  it.each(items)('$name is the same otherwise', ({ item }) => {
    const { providerData, ...replayed } = replayedItem(toAgentItem(item));
    const { id, providerData: _, ...before } = toAgentItem(item);
    expect(replayed).toEqual(replayed.id === undefined ? before : { id, ...before });
    if (item.role !== 'assistant') {
      expect(toApiItem({ ...replayed, providerData })).toEqual(toApiItem(toAgentItem(item)));
    }
  });

  it('a message keeps its phase, wherever that was', () => {
    const said = { role: 'assistant', id: 'msg_1', status: 'completed', content: [] };
    expect(replayedItem({ ...said, providerData: { phase: 'commentary', a: 1 } })).toEqual({
      role: 'assistant',
      status: 'completed',
      content: [],
      phase: 'commentary',
    });
  });

  it('what has no form in the API is left as it is', () => {
    const audio = { role: 'user', id: 'a', content: [{ type: 'audio', audio: 'AA==' }] };
    expect(replayedItem(audio)).toBe(audio);
    const unknown = { type: 'unknown', id: 'x_1', providerData: { type: 'of_next_year', id: 'x_1' } };
    expect(replayedItem(unknown)).toBe(unknown);
  });
});
