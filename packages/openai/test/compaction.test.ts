import { OpenAIConversationsSession as OfficialConversations, type Session } from '@openai/agents';
import { type AgentItem, isOpenAIResponsesCompactionAwareSession } from '@sessions/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { MemorySession, type MemorySessionOptions, MemoryStore } from '../../memory/src/index.ts';
import {
  OpenAIConversationsSession,
  OpenAIResponsesCompactionSession,
  type OpenAIResponsesCompactionSessionOptions,
} from '../src/index.ts';
import { message, messages, textOf, thrown, useStandIn } from './stand-in.ts';

const bench = useStandIn();
const FORCED = { force: true };

function open(
  initialItems: unknown[],
  options: Partial<OpenAIResponsesCompactionSessionOptions<unknown>> = {},
  memory: MemorySessionOptions<unknown> = {},
) {
  const inner = new MemorySession<unknown>({ ...memory, initialItems });
  const { client } = bench;
  const session = new OpenAIResponsesCompactionSession({ underlyingSession: inner, client, ...options });
  return { inner, session };
}

const answers = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ type: 'message', role: 'assistant', content: `a${at}` }));
const words = (items: unknown[]) => items.map(textOf);
const requests = () =>
  bench.api.requests.all('responses.compact').map(({ body }) => body as Record<string, unknown>);

describe('what it is built with', () => {
  it('is refused where it cannot work', () => {
    const underlyingSession = new MemorySession<unknown>();
    const { client } = bench;
    for (const wrong of [
      { underlyingSession: undefined },
      { underlyingSession: {} },
      { underlyingSession: bench.session() },
      { underlyingSession: new OfficialConversations({ client: client as never }) },
      { underlyingSession, model: ' ' },
      { underlyingSession, compactionMode: 'chain' },
      { underlyingSession, client: {} },
      { underlyingSession, shouldTriggerCompaction: true },
    ]) {
      expect(() => new OpenAIResponsesCompactionSession({ client, ...wrong } as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', adapter: 'openai' }),
      );
    }
    expect(OpenAIConversationsSession).toBeTypeOf('function');
  });

  it('has the model that was chosen, or one by default', async () => {
    for (const model of ['gpt-6-luna', undefined]) {
      const { session } = open(answers(1), model === undefined ? {} : { model });
      await session.runCompaction(FORCED);
    }
    expect(requests().map(({ model }) => model)).toEqual(['gpt-6-luna', 'gpt-5.6-luna']);
  });

  it('makes a session that the official SDK takes, and that is known to compact itself', () => {
    expectTypeOf<OpenAIResponsesCompactionSession<AgentItem>>().toExtend<Session>();
    const { session } = open([]);
    expect(isOpenAIResponsesCompactionAwareSession(session)).toBe(true);
  });

  it('has the settings of the session inside', async () => {
    const { session, inner } = open(messages(3), {}, { sessionSettings: { limit: 1 } });
    expect(session.sessionSettings).toEqual({ limit: 1 });
    session.sessionSettings = { limit: 2 };
    expect(await inner.getItems()).toHaveLength(2);
  });
});

describe('arguments', () => {
  it.each([{ responseId: '' }, { responseId: 7 }, { compactionMode: 'chain' }])(
    'refuses %o',
    async (args) => {
      const { session } = open(answers(1));
      expect(await thrown(session.runCompaction(args as never))).toMatchObject({ code: 'INVALID_ARGUMENT' });
      expect(requests()).toEqual([]);
    },
  );

  it('CMP-1 tells the application what it decides on, and takes no notice of what it does to it', async () => {
    const seen: unknown[] = [];
    const { session } = open([message('m'), ...answers(2)], {
      shouldTriggerCompaction: async (decision) => {
        seen.push(structuredClone(decision));
        decision.sessionItems.length = 0;
        return true;
      },
    });
    await session.runCompaction({ responseId: 'r', compactionMode: 'input' });
    expect(seen).toEqual([
      {
        responseId: 'r',
        compactionMode: 'input',
        compactionCandidateItems: answers(2),
        sessionItems: [message('m'), ...answers(2)],
      },
    ]);
    expect(words(requests()[0]?.input as unknown[])).toEqual(['m', 'a0', 'a1']);
  });
});

describe('going by a response', () => {
  it('CMP-5 does not go by one whose items somebody else took away', async () => {
    const store = new MemoryStore();
    const { session } = open([message('m'), ...answers(3)], {}, { sessionId: 's', store });
    await session.runCompaction({ responseId: 'r' });
    const other = new MemorySession<unknown>({ sessionId: 's', store });
    await other.clearSession();
    await other.addItems([message('new')]);
    await session.runCompaction(FORCED);
    expect(requests()).toEqual([{ model: expect.any(String), input: [message('new')] }]);
  });

  it('CMP-3 revives nothing that is popped between the call and the reading', async () => {
    const { session } = open([message('m'), ...answers(3)]);
    const compacting = session.runCompaction({ responseId: 'r', ...FORCED });
    const popping = session.popItem();
    await Promise.all([compacting, popping]);
    expect(requests().every((request) => !('previous_response_id' in request))).toBe(true);
    expect(words(await session.getItems()).slice(0, 1)).toEqual(['m']);
  });

  it('uses the chain that the API keeps', async () => {
    const { client } = bench;
    const response = await client.responses.create({ model: 'gpt-5.4', input: 'Hello' });
    const { session } = open([{ role: 'user', content: 'Hello' }, ...response.output]);
    const result = await session.runCompaction({ responseId: response.id, ...FORCED });
    expect(words(await session.getItems())).toEqual(['Hello', 'compaction']);
    expect(result?.usage).toMatchObject({
      endpoint: 'responses.compact',
      inputTokensDetails: { cached_tokens: 0 },
      outputTokensDetails: { reasoning_tokens: 0 },
    });
    expect(result?.usage.totalTokens).toBeGreaterThan(10);
  });

  it('CMP-7 does not go by a chain that holds more than what is stored, unless told to', async () => {
    const { session } = open(answers(10));
    for (const compactionMode of ['auto', 'previous_response_id'] as const) {
      const { items, ownership } = await session.getItemsWithCompactionOwnership();
      const exchange = { items: [message('only shown'), ...items], responseId: 'resp_unknown' };
      const done = session.runCompaction({ compactionMode, force: true }, {}, ownership, exchange);
      if (compactionMode === 'auto') await done;
      else expect(await thrown(done)).toMatchObject({ status: 400 });
    }
    expect(requests().map((request) => 'input' in request)).toEqual([true, false]);
  });

  it('CMP-7 told to go by a chain, it does nothing while a call waits for its output', async () => {
    const call = { type: 'function_call', callId: 'c', name: 'look', arguments: '{}' };
    const { session } = open([...answers(10), call]);
    const { items, ownership } = await session.getItemsWithCompactionOwnership();
    const args = { compactionMode: 'previous_response_id', force: true } as const;
    expect(await session.runCompaction(args, {}, ownership, { items, responseId: 'r' })).toBeNull();
    expect(requests()).toEqual([]);
  });
});

describe('items', () => {
  const image = 'https://example.com/cat.png';

  it("sends the SDK's items as the API takes them, and stores what comes back as the SDK's", async () => {
    const { session } = open([
      { role: 'user', content: [{ type: 'input_image', image, detail: 'high' }] },
      { type: 'reasoning', id: 'rs_1', content: [{ type: 'input_text', text: 'hm' }] },
      { type: 'function_call', id: 'fc_1', callId: 'c', name: 'look', arguments: '{}', status: 'completed' },
      { type: 'function_call_result', callId: 'c', name: 'look', status: 'completed', output: 'seen' },
      {
        type: 'hosted_tool_call',
        id: 'ws_1',
        name: 'web_search_call',
        status: 'completed',
        providerData: { type: 'web_search_call', action: { type: 'search', query: 'cats' } },
      },
    ]);
    await session.runCompaction(FORCED);
    const [asked, compaction] = (await session.getItems()) as Record<string, unknown>[];
    expect(asked?.content).toMatchObject([{ type: 'input_image', image, detail: 'high' }]);
    expect(compaction).toMatchObject({ type: 'compaction', encrypted_content: expect.any(String) });
  });

  it("sends the API's own items as they are, and stores what comes back as it is", async () => {
    const items = [
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: image, detail: 'high' }] },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'seen' },
    ];
    const { session } = open([...items]);
    await session.runCompaction(FORCED);
    expect(requests()[0]?.input).toEqual(items);
    const stored = (await session.getItems()) as Record<string, unknown>[];
    expect(stored[0]?.content).toMatchObject([{ type: 'input_image', image_url: image }]);
    await bench.client.responses.create({ model: 'gpt-5.4', input: stored as never });
  });

  it("CMP-5 of the API's own calls, those without their reasoning lose their id only", async () => {
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'look', arguments: '{}' };
    const output = { type: 'function_call_output', call_id: 'c', output: 'seen' };
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'cats' },
    };
    const { session } = open([message('m'), { type: 'reasoning', summary: [] }, call, output, search]);
    await session.runCompaction(FORCED);
    const { id, ...rest } = call;
    expect(requests()[0]?.input).toEqual([message('m'), rest, output, search]);
  });

  it('CMP-7 keeps what waits for an answer, whichever kind of call it is', async () => {
    const waiting = [
      { type: 'custom_tool_call', call_id: 'a', name: 'look', input: '' },
      { type: 'shell_call', call_id: 'b', action: { commands: ['ls'] } },
      { type: 'local_shell_call', id: 'l', call_id: 'c', status: 'completed', action: { type: 'exec' } },
      { type: 'apply_patch_call', call_id: 'd', operation: {}, status: 'completed' },
      { type: 'mcp_approval_request', id: 'e', server_label: 's', name: 'n', arguments: '{}' },
      { type: 'function_call_output', call_id: 'f', output: 'whose call is not here' },
    ];
    const answered = [
      { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 's', name: 'n', arguments: '{}' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    ];
    const { session } = open([message('m'), ...waiting, ...answered]);
    await session.runCompaction(FORCED);
    expect(requests()[0]?.input).toEqual([message('m'), ...answered]);
    expect((await session.getItems()).slice(2)).toEqual(waiting);
  });

  it('says which item cannot be sent, and nothing of what it holds', async () => {
    const { session } = open([message('m'), { type: 'poem', text: 'secret' }]);
    const error = (await thrown(session.runCompaction(FORCED))) as Error;
    expect(error).toMatchObject({ code: 'INVALID_ITEM', adapter: 'openai', index: 1, path: '.type' });
    expect(error.message).not.toMatch(/poem|secret/);
    expect(requests()).toEqual([]);
  });
});

describe('failures', () => {
  it('CMP-4 what the client throws comes through, the same object', async () => {
    const { session } = open(answers(3));
    bench.api.faults.order('responses.compact', { kind: 'rate limit', retryAfter: 1 });
    expect(await thrown(session.runCompaction(FORCED))).toMatchObject({ status: 429 });
    const reason = new Error('mine');
    const client = { responses: { compact: () => Promise.reject(reason) } } as never;
    expect(await thrown(open(answers(3), { client }).session.runCompaction(FORCED))).toBe(reason);
  });

  it('CMP-4 a reply that is lost leaves the old history', async () => {
    const { session } = open(answers(3));
    bench.api.faults.order('responses.compact', { kind: 'lose reply' });
    await thrown(session.runCompaction(FORCED));
    expect(words(await session.getItems())).toEqual(['a0', 'a1', 'a2']);
  });

  it('LIFE-2 a compaction under way rejects with CLOSED at once, and so does one that waits for it', async () => {
    for (const end of ['close', Symbol.asyncDispose] as const) {
      const { session, inner } = open(answers(3));
      bench.api.faults.order('responses.compact', { kind: 'hang' });
      const both = [session.runCompaction(FORCED), session.runCompaction(FORCED)].map(thrown);
      await expect.poll(() => requests().length).toBeGreaterThan(0);
      await session[end]?.();
      for (const error of await Promise.all(both)) expect(error).toMatchObject({ code: 'CLOSED' });
      expect(await thrown(session.runCompaction())).toMatchObject({ code: 'CLOSED' });
      expect(await thrown(inner.getItems())).toMatchObject({ code: 'CLOSED' });
      bench.api.requests.clear();
    }
  });

  it('LIFE-4 one that waits for another can be given up', async () => {
    const { session } = open(answers(3));
    bench.api.faults.order('responses.compact', { kind: 'hang' });
    const abort = new AbortController();
    const first = thrown(session.runCompaction(FORCED, { signal: abort.signal }));
    const reason = new Error('enough');
    const second = AbortSignal.timeout(20);
    await thrown(session.runCompaction(FORCED, { signal: second }));
    expect(second.aborted).toBe(true);
    abort.abort(reason);
    expect(await first).toBe(reason);
    expect(await session.runCompaction(FORCED)).not.toBeNull();
  });

  it('compactions through one wrapper run one after another, so that the second has nothing to do', async () => {
    const { session } = open([message('m'), ...answers(10)]);
    const both = await Promise.all([session.runCompaction(), session.runCompaction()]);
    expect(both).toEqual([{ usage: expect.anything() }, null]);
    expect(requests()).toHaveLength(1);
  });
});
