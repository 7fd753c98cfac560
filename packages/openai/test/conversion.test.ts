import { protocol } from '@openai/agents';
import { describe, expect, it } from 'vitest';
import { API_ITEM_TYPES, type ApiItem } from '../src/items/api-item.ts';
import { comparableItem } from '../src/items/comparable-item.ts';
import { toAgentItem } from '../src/items/to-agent-item.ts';
import { NotAnApiItem, toApiItem } from '../src/items/to-api-item.ts';
import { agentSamples, apiSamples, inputOnlySamples } from './samples.ts';

const apiItems = Object.values({ ...apiSamples, ...inputOnlySamples })
  .flat()
  .map((item) => ({ name: `${item.type} ${item.id ?? ''}`, item }));
const agentItems = Object.entries(agentSamples).flatMap(([type, samples]) =>
  samples.map(([item, sent], at) => ({ name: `${type} ${at}`, item, sent })),
);

describe("the API's items", () => {
  it.each(apiItems)('$name is an item of the Agents SDK’s', ({ item }) => {
    protocol.ModelItem.parse(toAgentItem(item));
  });

  it.each(apiItems)('$name comes back as it was, but for what is the API’s to give', ({ item }) => {
    expect(toApiItem(toAgentItem(item))).toEqual(asSent(item));
  });

  it.each(apiItems)('$name has a name of its own in the Agents SDK, or is kept whole', ({ item }) => {
    const { type, providerData } = toAgentItem(item);
    if (type === 'unknown') expect(providerData).toBe(item);
    else expect(type).toMatch(/^(?:message|hosted_tool_call|function_call_result|computer_call_result)$|/);
  });

  it('of a type that nobody knows are kept whole, both ways', () => {
    const item = { id: 'x_1', type: 'of_next_year', aField: { camelCase: [1, null] } };
    expect(toAgentItem(item)).toEqual({ type: 'unknown', id: 'x_1', providerData: item });
    expect(toApiItem(toAgentItem(item))).toEqual(item);
  });

  it('with a field that nobody knows keep it', () => {
    const [call] = apiSamples.function_call;
    expect(toAgentItem({ ...call, of_next_year: 1 })).toMatchObject({ providerData: { of_next_year: 1 } });
    const message = {
      ...apiSamples.message[0],
      content: [{ type: 'input_text', text: 'a', of_next_year: 1 }],
    };
    expect(toAgentItem(message)).toMatchObject({ content: [{ providerData: { of_next_year: 1 } }] });
  });

  it('with content of a kind that nobody knows are kept whole', () => {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'user',
      content: [{ type: 'input_smell', smell: 1 }],
    };
    expect(toAgentItem(message)).toEqual({ type: 'unknown', id: 'msg_1', providerData: message });
    expect(toApiItem(toAgentItem(message))).toEqual({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_smell', smell: 1 }],
    });
  });
});

describe("the Agents SDK's items", () => {
  it.each(agentItems)('$name is sent as the API takes it', ({ item, sent }) => {
    protocol.ModelItem.parse(item);
    expect(toApiItem(item)).toEqual(sent);
  });

  it.each(agentItems)('$name is recognised after the API gave it an id and a status', ({ item, sent }) => {
    const given = { id: 'x_2', status: 'completed', ...sent, ...(!sent.role ? {} : parts(sent)) };
    expect(comparableItem(toAgentItem(given))).toEqual(comparableItem(item));
  });

  it('of reasoning with neither id nor encrypted content are left out', () => {
    expect(toApiItem({ type: 'reasoning', content: [{ type: 'input_text', text: 'Hm.' }] })).toBeUndefined();
    expect(toApiItem({ type: 'reasoning', id: '', content: [] })).toBeUndefined();
    expect(toApiItem({ type: 'reasoning', id: 'think-1', content: [] })).toBeUndefined();
  });

  it.each([
    [{ role: 'user', content: [{ type: 'audio', audio: 'AA==' }] }, '.content[0]'],
    [
      {
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'image', image: 'AA==' }, { type: 'audio' }],
      },
      '.content[1]',
    ],
    [{ type: 'of_next_year' }, '.type'],
    [{ type: 'unknown', providerData: {} }, '.providerData'],
    ['text', ''],
  ])('%j has no form in the API', (item, path) => {
    expect(() => toApiItem(item)).toThrow(NotAnApiItem);
    expect(() => toApiItem(item)).toThrow(expect.objectContaining({ path }));
  });
});

/** Without what the API gives itself, and without what says nothing. */
function asSent(item: ApiItem): ApiItem {
  const type = item.type as string;
  const { id, created_by, ...rest } = pruned(item) as ApiItem;
  const quoted = type === 'message' && item.role !== 'assistant';
  const sent: ApiItem = API_ITEM_TYPES.get(type)?.needsId && !quoted ? { id, ...rest } : rest;
  // What every message that was read has is not sent again; one text is sent as one.
  if (quoted) {
    const { status, content, ...message } = sent;
    const [only, ...others] = content as ApiItem[];
    const isText = item.role === 'system' && others.length === 0;
    const isKept = item.role !== 'user' && !isText;
    return { ...message, content: isText ? only?.text : content, ...(isKept ? { status } : {}) };
  }
  if (type === 'image_generation_call' || type === 'code_interpreter_call') {
    return { ...sent, ...Object.fromEntries(Object.entries(item).filter(([, value]) => value === null)) };
  }
  return sent;
}

function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.entries(value).filter(([name, entry]) => {
    return entry !== null || (name === 'keys' && (value as ApiItem).type === 'double_click');
  });
  return Object.fromEntries(named.map(([name, entry]) => [name, pruned(entry)]));
}

function parts({ role, content }: ApiItem): ApiItem {
  if (typeof content !== 'string') return {};
  const said =
    role === 'assistant' ? { type: 'output_text', annotations: [], logprobs: [] } : { type: 'input_text' };
  return { content: [{ ...said, text: content }] };
}
