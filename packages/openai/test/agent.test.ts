import {
  Agent,
  type AgentInputItem,
  OpenAIProvider,
  Runner,
  RunState,
  type Session,
  tool,
} from '@openai/agents';
import {
  type AgentRun,
  agentScenarios,
  approvalScenario,
  approveInAnotherProcess,
  official,
} from '@sessions/agent-runs';
import type { ApiItem, Model } from '@sessions/servers';
import type { OpenAI } from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { comparableItem } from '../src/items/comparable-item.ts';
import { apiSamples } from './samples.ts';
import { textOf, useStandIn } from './stand-in.ts';

const bench = useStandIn();

describe('real agent runs leave what they leave in the official memory session', () => {
  /** What was said before the guardrail tripped is kept in a transaction, which the API has none of. */
  const inTransaction = 'an output guardrail that trips after a tool was called';

  it.each(agentScenarios.filter(({ name }) => name !== inTransaction))('$name', async (scenario) => {
    const conversationId = bench.conversationOf(0);
    const run = await scenario.run(() => bench.agentSession({ conversationId }));
    const [ours, theirs] = [run, await official(scenario)].map(comparable) as [Compared, Compared];
    if (scenario.name === 'two runs at once') expect(inOneOrder(ours)).toEqual(inOneOrder(theirs));
    else expect(ours).toEqual(theirs);
  });

  it(`${inTransaction}, except for the tool's call and its output`, async () => {
    const scenario = agentScenarios.find(({ name }) => name === inTransaction)!;
    const conversationId = bench.conversationOf(0);
    const run = comparable(await scenario.run(() => bench.agentSession({ conversationId })));
    const expected = comparable(await official(scenario)).stored;
    expect(run.stored).toEqual(expected.filter(({ type }) => type === 'message'));
  });

  it('a human approval, given in another process', async () => {
    const conversationId = bench.conversationOf(0);
    vi.stubEnv('OPENAI_BASE_URL', bench.api.baseURL);
    vi.stubEnv('OPENAI_API_KEY', bench.api.apiKey);
    const run = await approveInAnotherProcess(() => bench.agentSession({ conversationId }), {
      module: new URL('../src/index.ts', import.meta.url).href,
      name: 'OpenAIConversationsSession',
      options: { conversationId },
    }).finally(() => vi.unstubAllEnvs());
    expect(comparable(run)).toEqual(comparable(await official(approvalScenario)));
  });
});

/** The calls and outputs of a kind that belong together; a model is not given the one without the other. */
function answered(type: string, samples: readonly ApiItem[]): ApiItem[] {
  const [call, output] = type.endsWith('_output')
    ? [type.slice(0, -'_output'.length), type]
    : [type, `${type}_output`];
  const [calls, outputs] = [call, output].map((name) => apiSamples[name as keyof typeof apiSamples]);
  if (!calls || !outputs || type.startsWith('local_shell')) return [...samples];
  const isIn = (items: readonly ApiItem[]) => (item: ApiItem) =>
    items.some(({ call_id }) => call_id !== undefined && call_id === item.call_id);
  const items = [...calls.filter(isIn(outputs)), ...outputs.filter(isIn(calls))]
    // The runner does not know a screenshot without a URL for one, and leaves out the call that it belongs to.
    .filter(({ type: kind, call_id }) => !String(kind).startsWith('computer') || call_id === 'call_1');
  // What a program called is left out without the program.
  return type.startsWith('function')
    ? [...apiSamples.program, ...items, ...apiSamples.program_output]
    : items;
}

type Compared = ReturnType<typeof comparable>;

/** In the form in which items are compared. */
function comparable({ stored, shown }: AgentRun) {
  const items = (list: readonly AgentInputItem[]) => list.map(comparableItem);
  return {
    stored: items(stored),
    shown: shown.map((list) => (typeof list === 'string' ? list : items(list))),
  };
}

/** Sorts the turns of two runs at once, which may have been stored in either order. */
function inOneOrder({ stored, shown }: Compared) {
  const turns: ApiItem[][] = [];
  for (const item of stored) {
    if (turns.length === 0 || item.role === 'user') turns.push([]);
    turns.at(-1)!.push(item);
  }
  const key = ([first]: readonly ApiItem[]) => textOf(first);
  return { stored: turns.sort((a, b) => (key(a) < key(b) ? -1 : 1)).flat(), shown };
}

describe('with the runner and the model of the Agents SDK, all of it on one API', () => {
  const book = tool({
    name: 'book',
    description: 'Books.',
    parameters: z.object({ flight: z.string() }),
    needsApproval: true,
    execute: async ({ flight }) => `Booked ${flight}.`,
  });
  const weather = tool({
    name: 'weather',
    description: 'Says what the weather is.',
    parameters: z.object({ city: z.string() }),
    execute: async ({ city }) => `Sunny in ${city}.`,
  });
  const agent = new Agent({ name: 'Travel', model: 'gpt-5.5', tools: [book, weather] });
  const runner = () => {
    const modelProvider = new OpenAIProvider({ openAIClient: bench.client, useResponses: true });
    return new Runner({ modelProvider, tracingDisabled: true });
  };

  let ids = 0;
  const thought = (): ApiItem => ({
    id: `rs_${++ids}`,
    type: 'reasoning',
    summary: [],
    encrypted_content: 'gA',
  });
  const says = (text: string): ApiItem => ({
    id: `msg_${++ids}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    phase: 'final_answer',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  });
  const calls = (name: string, args: object): ApiItem => ({
    id: `fc_${++ids}`,
    type: 'function_call',
    call_id: `call_${ids}`,
    name,
    arguments: JSON.stringify(args),
    status: 'completed',
  });
  const script = (...turns: ApiItem[][]): Model => {
    return () => turns.shift() ?? expect.fail('the script is at its end');
  };

  it('a conversation with reasoning and tools goes on and on, streamed or not', async () => {
    const conversationId = bench.conversationOf(0);
    const open = () => bench.agentSession({ conversationId });
    bench.api.script(
      script(
        [thought(), calls('weather', { city: 'Faro' })],
        [thought(), says('Sunny.')],
        [thought(), says('Still sunny.')],
        [calls('weather', { city: 'Porto' }), calls('weather', { city: 'Lisbon' })],
        [says('Both.')],
      ),
    );
    const first = await runner().run(agent, 'How is Faro?', { session: open() });
    expect(first.finalOutput).toBe('Sunny.');
    const second = await runner().run(agent, 'And now?', { session: open(), stream: true });
    await second.completed;
    expect(second.finalOutput).toBe('Still sunny.');
    const third = await runner().run(agent, 'And elsewhere?', { session: open() });
    expect(third.finalOutput).toBe('Both.');
    expect((await open().getItems()).map(({ type }) => type)).toEqual([
      'message',
      'reasoning',
      'function_call',
      'function_call_result',
      'reasoning',
      'message',
      'message',
      'reasoning',
      'message',
      'message',
      'function_call',
      'function_call',
      'function_call_result',
      'function_call_result',
      'message',
    ]);
  });

  it('a history that was cut is taken by the model', async () => {
    const conversationId = bench.conversationOf(0);
    const open = () => bench.agentSession({ conversationId });
    bench.api.script(
      script([thought(), calls('weather', { city: 'Faro' })], [thought(), says('Sunny.')], [says('Well.')]),
    );
    await runner().run(agent, 'How is Faro?', { session: open() });
    const sessionInputCallback = (history: AgentInputItem[], input: AgentInputItem[]) => [
      ...history.filter(({ type }) => type !== 'reasoning'),
      ...input,
    ];
    const { finalOutput } = await runner().run(agent, 'And?', { session: open(), sessionInputCallback });
    expect(finalOutput).toBe('Well.');
  });

  it('a run that was interrupted goes on from its serialized state', async () => {
    const conversationId = bench.conversationOf(0);
    const open = (): Session => bench.agentSession({ conversationId });
    bench.api.script(
      script([thought(), calls('book', { flight: 'TP 1' })], [thought(), says('Booked.')], [says('TP 1.')]),
    );
    const asked = await runner().run(agent, 'Book TP 1.', { session: open() });
    const state = await RunState.fromString(agent, asked.state.toString());
    for (const interruption of state.getInterruptions()) state.approve(interruption);
    const done = await runner().run(agent, state, { session: open() });
    expect(done.finalOutput).toBe('Booked.');
    const after = await runner().run(agent, 'Which one?', { session: open() });
    expect(after.finalOutput).toBe('TP 1.');
    expect((await open().getItems()).map((item) => item.type)).toEqual([
      'message',
      'reasoning',
      'function_call',
      'function_call_result',
      'reasoning',
      'message',
      'message',
      'message',
    ]);
  });

  it.each(Object.entries(apiSamples))('a history with %s is taken by the model', async (type, samples) => {
    const conversationId = bench.conversationOf(1);
    const conversation = bench.api.conversations.peek(conversationId)!;
    bench.api.conversations.append(conversation, [...answered(type, samples), says('So.')]);
    bench.api.script(script([says('Well.')]));
    const session = bench.agentSession({ conversationId });
    const { finalOutput } = await runner().run(agent, 'And?', { session });
    expect(finalOutput).toBe('Well.');
    const [request] = bench.api.requests.all('responses.create');
    const types = (request!.body as { input: ApiItem[] }).input.map((item) => item.type ?? 'message');
    // The runner itself leaves out a program that called nothing.
    if (!type.startsWith('program')) expect(types).toContain(type);
  });

  it('reasoning keeps its id in the session, though the model is shown it without', async () => {
    const session = bench.agentSession();
    bench.api.script(script([{ id: 'rs_kept', type: 'reasoning', summary: [] }, says('Hello.')]));
    await runner().run(agent, 'Hi.', { session, reasoningItemIdPolicy: 'omit' });
    expect(bench.api.conversations.peek(session.sessionId)?.items[1]).toMatchObject({ id: 'rs_kept' });
  });

  it('what the session gives is given to the model as the API has it, with the bare client', async () => {
    const session = bench.session();
    bench.api.script(script([thought(), says('Hello.')], [says('Fine.')]));
    const client: OpenAI = bench.client;
    for (const text of ['Hi.', 'How are you?']) {
      await session.addItems([{ role: 'user', content: text }]);
      const { output } = await client.responses.create({ model: 'gpt-5.5', input: await session.getItems() });
      await session.addItems(output as Parameters<typeof session.addItems>[0]);
    }
    expect(bench.stored(session.sessionId)).toEqual(['Hi.', 'reasoning', 'Hello.', 'How are you?', 'Fine.']);
  });
});
