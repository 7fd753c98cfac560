import { type AgentInputItem, run } from '@openai/agents';
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents/testing';
import { type AgentScenario, outcome } from './scenario.ts';
import { travelAgent } from './travel-agent.ts';

const PEOPLE = ['Ada', 'Ben'] as const;

/**
 * Two runs at once on one session. Which of the two is stored first is open, so the outcome has them in a
 * fixed order; items that were lost, doubled or mixed with those of the other run make it another outcome.
 */
export const racingScenario: AgentScenario = {
  name: 'two runs at once',
  async run(open) {
    const before = new ScriptedModel([[assistantMessage('Hello, both.')]]);
    await run(travelAgent(before), 'We are Ada and Ben.', { session: open() });

    // Both have read the history before either writes.
    const bothRead = gate(PEOPLE.length);
    const models = PEOPLE.map((person) => {
      const asks = modelResponder(async () => {
        await bothRead();
        return [functionCall('weather', { city: `${person}'s city` }, { callId: `call_${person}` })];
      });
      return new ScriptedModel([asks, [assistantMessage(`Sunny, ${person}.`)]]);
    });
    await Promise.all(
      models.map((model, at) => run(travelAgent(model), `${PEOPLE[at]} here.`, { session: open() })),
    );

    const { stored, shown } = await outcome(open, before, ...models);
    return { stored: inOneOrder(stored), shown };
  },
};

/** Resolves for everybody when `count` have come. */
function gate(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    if (++here === count) resolve();
    return promise;
  };
}

/** What each user message began, sorted by that message. */
function inOneOrder(stored: readonly AgentInputItem[]): AgentInputItem[] {
  const [first, ...batches] = split(stored);
  const key = (batch: readonly AgentInputItem[]) => JSON.stringify(batch[0]);
  batches.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return [first ?? [], ...batches].flat();
}

function split(stored: readonly AgentInputItem[]): AgentInputItem[][] {
  const batches: AgentInputItem[][] = [];
  for (const item of stored) {
    if (batches.length === 0 || ('role' in item && item.role === 'user')) batches.push([]);
    batches.at(-1)!.push(item);
  }
  return batches;
}
