import { Agent, getDefaultModel, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { scriptedModel } from './scripted-model.ts';

const weather = tool({
  name: 'weather',
  description: 'The weather in a city on a day.',
  parameters: z.object({ city: z.string(), day: z.string() }),
  execute: async ({ city, day }) => `${city} on ${day}: sunny, 24 °C`,
});

const isRealModel = Boolean(process.env.OPENAI_API_KEY);

export const modelName = isRealModel
  ? `OpenAI's ${getDefaultModel()}, since OPENAI_API_KEY is set`
  : 'a scripted one, which makes no call; set OPENAI_API_KEY to talk to a real one';

// Traces go to OpenAI, too.
if (!isRealModel) setTracingDisabled(true);

export const agent = new Agent({
  name: 'Travel',
  instructions:
    'You help people travel. Ask nothing back. Write plain text, two sentences unless asked for more.',
  tools: [weather],
  ...(isRealModel ? {} : { model: scriptedModel() }),
});
