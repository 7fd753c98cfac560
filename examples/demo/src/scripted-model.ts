import { setTimeout as pause } from 'node:timers/promises';
import type { AgentInputItem, Model, StreamEvent } from '@openai/agents';
import {
  assistantMessage,
  functionCall,
  modelStreamResponder,
  type RecordedModelCall,
  ScriptedModel,
} from '@openai/agents/testing';

const MOST_CALLS = 20;

/**
 * Plays the part of a language model without a network. Like one, it knows nothing but what it is shown: who
 * it talks to and where they go it finds in the conversation, or not at all.
 */
export function scriptedModel(): Model {
  return new ScriptedModel(Array.from({ length: MOST_CALLS }, () => modelStreamResponder(speak)));
}

async function* speak({ request }: RecordedModelCall): AsyncGenerator<StreamEvent> {
  const { input } = request;
  const items: AgentInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const conversation = JSON.stringify(items);
  const [, name] = /name is (\w+)/.exec(conversation) ?? [];
  const [, city, day] = /to (\w+) on (\w+)/.exec(conversation) ?? [];
  const [weather] = /sunny, \d+ °C/.exec(conversation) ?? [];
  const last = items.at(-1);
  const asked = last && 'content' in last ? String(last.content) : '';

  let answer = 'I do not know who you are, nor where you go.';
  if (/weather/.test(asked) && city) {
    yield* done(functionCall('weather', { city, day }, { callId: `call_${items.length}` }));
    return;
  }
  if (/hour by hour/.test(asked)) answer = longPlan();
  else if (/Remind me/.test(asked) && name) {
    answer = `You are ${name}, you fly to ${city} on ${day}, and it will be ${weather}.`;
  } else if (weather) answer = `It will be ${weather}, ${name}. Pack something light.`;

  yield { type: 'response_started' };
  for (const word of answer.match(/\S+\s*/g) ?? []) {
    await pause(40);
    yield { type: 'output_text_delta', delta: word };
  }
  yield* done(assistantMessage(answer));
}

function* done(item: ReturnType<typeof assistantMessage> | ReturnType<typeof functionCall>) {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  yield { type: 'response_done' as const, response: { id: 'scripted', usage, output: [item] } };
}

/** Takes half a minute to say: time enough to be interrupted. */
function longPlan(): string {
  const hours = Array.from(
    { length: 48 },
    (_, hour) => `${hour % 24}:00, walk on to the next viewpoint and look around you;`,
  );
  return `Here is your weekend, hour by hour: ${hours.join(' ')} fly home.`;
}
