import assert from 'node:assert/strict';
import { Agent, run } from '@openai/agents';
import { assistantMessage, functionCall, modelError, ScriptedModel } from '@openai/agents/testing';
import { type AgentScenario, outcome } from './scenario.ts';
import { travelAgent } from './travel-agent.ts';

/** Conversations that go their plain way, turn by turn, and one whose model fails on the way. */
export const turnScenarios: readonly AgentScenario[] = [
  {
    name: 'several turns',
    async run(open) {
      const model = new ScriptedModel([
        [assistantMessage('Hello Ada.', { id: 'msg_1' })],
        [assistantMessage('To Lisbon \u{1F1F5}\u{1F1F9}, on Friday.')],
        [assistantMessage('You are Ada, and go to Lisbon.', { providerData: { safe: true } })],
      ]);
      const agent = travelAgent(model);
      await run(agent, 'I am Ada.', { session: open() });
      await run(agent, [{ role: 'user', content: [{ type: 'input_text', text: 'Where do I go?' }] }], {
        session: open(),
      });
      const { finalOutput } = await run(agent, 'Who am I?', { session: open() });
      assert.equal(finalOutput, 'You are Ada, and go to Lisbon.');
      return outcome(open, model);
    },
  },
  {
    name: 'tool calls, one and then two at once',
    async run(open) {
      const model = new ScriptedModel([
        [functionCall('weather', { city: 'Lisbon' }, { callId: 'call_1' })],
        [assistantMessage('Sunny.')],
        [
          functionCall('weather', { city: 'Porto' }, { callId: 'call_2' }),
          functionCall('weather', { city: 'Faro' }, { callId: 'call_3' }),
        ],
        [assistantMessage('Sunny in both.')],
      ]);
      const agent = travelAgent(model);
      await run(agent, 'How is Lisbon?', { session: open() });
      await run(agent, 'And Porto, and Faro?', { session: open() });
      return outcome(open, model);
    },
  },
  {
    name: 'streaming',
    async run(open) {
      const model = new ScriptedModel([
        [functionCall('weather', { city: 'Lisbon' }, { callId: 'call_1' })],
        [assistantMessage('Sunny.')],
        [assistantMessage('Then to Lisbon.')],
      ]);
      const agent = travelAgent(model);
      for (const input of ['How is Lisbon?', 'So where do I go?']) {
        const streamed = await run(agent, input, { session: open(), stream: true });
        let events = 0;
        for await (const _ of streamed) events++;
        await streamed.completed;
        assert.ok(events > 0);
      }
      return outcome(open, model);
    },
  },
  {
    name: 'a handoff, after which the other agent goes on',
    async run(open) {
      const desk = new ScriptedModel([[functionCall('transfer_to_Flights', {}, { callId: 'call_1' })]]);
      const flights = new ScriptedModel([
        [assistantMessage('Flights here. Which day?')],
        [assistantMessage('Friday it is.')],
      ]);
      const second = new Agent({ name: 'Flights', model: flights });
      const first = new Agent({ name: 'Desk', model: desk, handoffs: [second] });
      const { lastAgent } = await run(first, 'A flight to Lisbon.', { session: open() });
      assert.equal(lastAgent, second);
      await run(second, 'Friday.', { session: open() });
      return outcome(open, desk, flights);
    },
  },
  {
    name: 'a model error in the middle, after which the conversation goes on',
    async run(open) {
      const model = new ScriptedModel([
        [assistantMessage('Hello.')],
        [functionCall('weather', { city: 'Lisbon' }, { callId: 'call_1' })],
        modelError(new Error('overloaded')),
        modelError(new Error('overloaded')),
        [assistantMessage('Now I can.')],
      ]);
      const agent = travelAgent(model);
      await run(agent, 'Hello.', { session: open() });
      await assert.rejects(run(agent, 'How is Lisbon?', { session: open() }), /overloaded/);
      // A streamed run stores its input before it fails; one that is not stores nothing.
      const streamed = await run(agent, 'Are you there?', { session: open(), stream: true });
      await assert.rejects(streamed.completed, /overloaded/);
      await run(agent, 'Try again.', { session: open() });
      return outcome(open, model);
    },
  },
];
