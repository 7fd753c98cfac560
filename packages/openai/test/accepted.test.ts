import type { AgentInputItem } from '@openai/agents';
import { type RunningOpenAI, startOpenAI } from '@sessions/servers';
import { OpenAI } from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAIConversationsSession } from '../src/index.ts';
import { toAgentItem } from '../src/items/to-agent-item.ts';
import { agentSamples, apiSamples } from './samples.ts';

let api: RunningOpenAI;
let client: OpenAI;
beforeAll(async () => {
  api = await startOpenAI();
  client = new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey, maxRetries: 0 });
});
afterAll(() => api.stop());

/** Refused alone: reasoning needs its follower. */
const ANSWER = {
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'So.', annotations: [] }],
};

describe('what the session sends is taken by the API', () => {
  const items = [
    ...Object.values(apiSamples).flat().map(toAgentItem),
    ...Object.values(agentSamples).flatMap((samples) => samples.map(([item]) => item)),
  ].filter(({ providerData }) => (providerData as { type?: string })?.type !== 'of_next_year');

  it.each(items.map((item) => ({ name: item.type ?? 'message', item })))('$name', async ({ item }) => {
    const session = new OpenAIConversationsSession({ client });
    await session.addItems([item, ANSWER] as AgentInputItem[]);
    const [first] = await session.getItems();
    expect(session.prepareHistoryItemsForPersistenceComparison([first!])).toEqual(
      session.prepareHistoryItemsForPersistenceComparison([item as AgentInputItem]),
    );
  });

  it.each(Object.entries(apiSamples))("the API's own items: %s", async (_, samples) => {
    const session = new OpenAIConversationsSession({ client, itemFormat: 'responses' });
    const own = samples.flatMap((item) =>
      item.type === 'reasoning' ? [item, { ...ANSWER, type: 'message' }] : [item],
    );
    await session.addItems(own as unknown as ResponseInputItem[]);
    expect(await session.getItems()).toMatchObject(own);
  });
});
