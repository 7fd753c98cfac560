import { Agent, type AgentInputItem, MemorySession, run, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { lastTurns } from '../src/index.ts';

type Item = {
  readonly role?: string;
  readonly type?: string;
  readonly callId?: string;
  readonly call_id?: string;
};

const user = (text: string): Item & { text: string } => ({ role: 'user', text });
const says = (text: string): Item & { text: string } => ({ role: 'assistant', text });
const call = (callId: string): Item => ({ type: 'function_call', callId });
const result = (callId: string): Item => ({ type: 'function_call_result', callId });

describe('the newest turns', () => {
  const turns = [
    user('1'),
    says('one'),
    user('2'),
    call('a'),
    result('a'),
    says('two'),
    user('3'),
    says('three'),
  ];
  const next = [user('4')];

  test.each([
    [0, 8],
    [1, 6],
    [2, 2],
    [3, 0],
    [9, 0],
  ])('%i of them, whole', (count, from) => {
    expect(lastTurns(count)(turns, next)).toEqual([...turns.slice(from), ...next]);
  });

  test('every item is the one that was given, and no list is changed', () => {
    const shown = lastTurns(1)(turns, next);
    expect(shown[0]).toBe(turns[6]);
    expect(shown[2]).toBe(next[0]);
    expect([turns.length, next.length]).toEqual([8, 1]);
  });

  test('what the user says in several messages is one turn', () => {
    const history = [user('1'), says('one'), user('2'), user('and'), says('two')];
    expect(lastTurns(1)(history, [])).toEqual(history.slice(2));
  });

  test('what is before the first turn is shown with it', () => {
    const history = [says('welcome'), user('1'), says('one')];
    expect(lastTurns(2)(history, [])).toEqual(history);
    expect(lastTurns(1)(history, [])).toEqual(history.slice(1));
  });

  test('a call is not cut off from its result, in whatever turn that is', () => {
    const history = [user('0'), says('zero'), user('1'), call('a'), user('2'), result('a'), says('two')];
    expect(lastTurns(1)(history, [])).toEqual(history.slice(2));
    const older = [user('0'), call('b'), user('1'), call('a'), result('b'), user('2'), result('a')];
    expect(lastTurns(1)(older, [])).toEqual(older);
    const open = [user('1'), call('a'), user('2'), says('two')];
    expect(lastTurns(1)(open, [result('a')])).toEqual([...open, result('a')]);
    expect(lastTurns(0)(open, [result('a')])).toEqual([...open, result('a')]);
  });

  test("of the API's own items as well", () => {
    const history: Item[] = [user('1'), { type: 'function_call', call_id: 'a' }, user('2'), says('two')];
    const output = { type: 'function_call_output', call_id: 'a' };
    expect(lastTurns(1)(history, [output])).toEqual([...history, output]);
  });

  test('a compaction is shown, and what is before it', () => {
    const compacted = [user('1'), call('a'), { type: 'compaction' }];
    const history = [...compacted, user('2'), result('a'), user('3'), says('three')];
    expect(lastTurns(1)(history, next)).toEqual([...compacted, user('3'), says('three'), ...next]);
    expect(lastTurns(0)(history, next)).toEqual([...compacted, ...next]);
    expect(lastTurns(0)(history, [result('a')])).toEqual([
      ...compacted,
      ...history.slice(3, 5),
      ...history.slice(5),
      result('a'),
    ]);
  });

  test('of nothing are nothing', () => expect(lastTurns(3)([], [])).toEqual([]));

  test('there are whole numbers of', () => {
    for (const turns of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1' as never]) {
      expect(() => lastTurns(turns)).toThrow(expect.objectContaining({ code: 'INVALID_LIMIT' }));
    }
  });
});

test('a real run is shown the newest turns, and stores all', async () => {
  const weather = tool({
    name: 'weather',
    description: 'The weather',
    parameters: z.object({ city: z.string() }),
    execute: () => 'sunny',
  });
  const model = new ScriptedModel([
    [assistantMessage('Hello Ada.')],
    [functionCall('weather', { city: 'Lisbon' }, { callId: 'call_1' })],
    [assistantMessage('Sunny.')],
    [assistantMessage('Bye.')],
  ]);
  const agent = new Agent({ name: 'Guide', model, tools: [weather] });
  const session = new MemorySession();
  const sessionInputCallback = lastTurns(1);
  expectTypeOf(sessionInputCallback<AgentInputItem>).returns.toEqualTypeOf<AgentInputItem[]>();
  for (const text of ['I am Ada.', 'How is Lisbon?', 'Bye.'])
    await run(agent, text, { session, sessionInputCallback });

  const shown = model.calls.map(({ request }) => (request.input as AgentInputItem[]).length);
  expect(shown).toEqual([1, 3, 5, 5]);
  expect(await session.getItems()).toHaveLength(8);
});
