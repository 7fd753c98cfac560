import {
  Agent,
  MemorySession as OfficialMemorySession,
  OpenAIResponsesCompactionSession as OfficialSession,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import { type RunningOpenAI, startOpenAI } from '@sessions/servers';
import { OpenAI } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemorySession, MemoryStore } from '../../memory/src/index.ts';
import { OpenAIResponsesCompactionSession } from '../src/index.ts';
import { preparedItems } from '../src/items/prepared-items.ts';

setTracingDisabled(true);

let api: RunningOpenAI;
let client: OpenAI;
const store = new MemoryStore();

beforeEach(async () => {
  api = await startOpenAI();
  client = new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey, maxRetries: 0 });
  // Thinks, asks a tool, thinks, and answers.
  let count = 0;
  api.script(({ items }) => {
    const id = ++count;
    const thought = { type: 'reasoning', summary: [{ type: 'summary_text', text: `thought ${id}` }] };
    return items.at(-1)?.type === 'function_call_output'
      ? [thought, { type: 'message', role: 'assistant', content: `answer ${id}`, status: 'completed' }]
      : [thought, { type: 'function_call', call_id: `call_${id}`, name: 'look', arguments: '{}' }];
  });
});
afterEach(() => api.stop());

function agentOf(needsApproval = false) {
  const look = tool({
    name: 'look',
    description: 'Looks.',
    parameters: z.object({}),
    needsApproval,
    execute: async () => 'seen',
  });
  return new Agent({ name: 'A', model: new OpenAIResponsesModel(client, 'gpt-5.4'), tools: [look] });
}

/** A new instance for each turn, as a server does. */
function open(sessionId: string, options: { compactionMode?: 'auto' | 'input' } = {}) {
  const underlyingSession = new MemorySession({ sessionId, store });
  return new OpenAIResponsesCompactionSession({ underlyingSession, client, ...options });
}

const typesOf = (items: unknown[]) => items.map((item) => (item as { type?: string }).type ?? 'message');

describe.each(['auto', 'input'] as const)('in runs of the official SDK, by %s,', (compactionMode) => {
  it('CMP-7 a history is compacted again and again, and stays what the API takes', async () => {
    const agent = agentOf();
    const id = `run-${compactionMode}`;
    const lengths: number[] = [];
    let tokens = 0;
    for (let turn = 0; turn < 12; turn++) {
      const { finalOutput, state } = await run(agent, `question ${turn}`, {
        session: open(id, { compactionMode }),
      });
      expect(finalOutput).toMatch(/^answer/);
      const { requestUsageEntries = [] } = state.usage;
      tokens += requestUsageEntries.filter(({ endpoint }) => endpoint === 'responses.compact').length;
      lengths.push((await open(id).getItems()).length);
    }
    const requests = api.requests.all('responses.compact').map(({ body }) => body as object);
    // 5 candidates a turn: reasoning, call, output, reasoning, answer.
    expect(requests).toHaveLength(6);
    expect(tokens).toBe(6);
    for (const request of requests) {
      expect('previous_response_id' in request).toBe(compactionMode === 'auto');
      expect('input' in request).toBe(compactionMode === 'input');
    }
    expect(Math.max(...lengths)).toBeLessThan(30);
    const items = await open(id).getItems();
    expect(typesOf(items).at(-1)).toBe('compaction');
    const input = [...preparedItems(items, 'agents'), { role: 'user', content: 'and?' }];
    await client.responses.create({ model: 'gpt-5.4', input: input as never });
  });
});

it('the official wrapper compacts a history in such runs once, as the README says', async () => {
  const agent = agentOf();
  const underlyingSession = new OfficialMemorySession();
  const session = new OfficialSession({ underlyingSession, client });
  for (let turn = 0; turn < 12; turn++) await run(agent, `question ${turn}`, { session });
  expect(api.requests.all('responses.compact')).toHaveLength(1);
  expect(await session.getItems()).toHaveLength(63);
});

it('CMP-7 a run that waits for approval keeps its call, and goes on', async () => {
  const agent = agentOf(true);
  const id = 'approval';
  await open(id).addItems(
    Array.from({ length: 10 }, (_, at) => ({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: `a${at}` }],
    })),
  );
  const session = open(id);
  let result = await run(agent, 'go', { session });
  expect(result.interruptions).toHaveLength(1);
  const waiting = ['message', 'compaction', 'reasoning', 'function_call'];
  expect(typesOf(await open(id).getItems())).toEqual(waiting);
  result.state.approve(result.interruptions[0]!);
  result = await run(agent, result.state, { session });
  expect(result.finalOutput).toMatch(/^answer/);
  const items = await open(id).getItems();
  expect(typesOf(items)).toEqual([...waiting, 'function_call_result', 'reasoning', 'message']);
  await client.responses.create({
    model: 'gpt-5.4',
    input: [...preparedItems(items, 'agents'), { role: 'user', content: 'and?' }] as never,
  });
});
