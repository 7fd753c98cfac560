import { Agent, OpenAIResponsesModel, tool } from '@openai/agents';
import type { OpenAI } from 'openai';
import { z } from 'zod';

const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `${city}: sunny, 24 °C`,
});

export function travelAgent(client: OpenAI, model: string): Agent {
  return new Agent({
    name: 'Travel',
    instructions: 'Be brief.',
    tools: [weather],
    model: new OpenAIResponsesModel(client, model),
  });
}
