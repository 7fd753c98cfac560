import { Agent, type Model, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';

// Traces would be sent over the network.
setTracingDisabled(true);

/** A tool whose output is the same in every process and at any time. */
export const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sunny in ${city}, 24 °C.`,
});

/** A tool that a person has to allow. */
export const book = tool({
  name: 'book',
  description: 'Books a flight.',
  parameters: z.object({ flight: z.string() }),
  needsApproval: true,
  execute: async ({ flight }) => `Booked ${flight}.`,
});

/** The agent of most scenarios. */
export function travelAgent(model: Model) {
  return new Agent({ name: 'Travel', instructions: 'Help people travel.', model, tools: [weather, book] });
}
