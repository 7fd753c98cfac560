import { setTimeout as pause } from 'node:timers/promises';
import { Agent, tool } from '@openai/agents';
import { assistantMessage, functionCall } from '@openai/agents/testing';
import { modelUnlessKey } from '@sessions/example-offline-model';
import { z } from 'zod';

const book = tool({
  name: 'book',
  description: 'Books a flight.',
  parameters: z.object({ flight: z.string() }),
  needsApproval: true,
  execute: async ({ flight }) => {
    console.log(`Booking ${flight} ...`);
    await pause(500);
    return `${flight} is booked.`;
  },
});

export const agent = new Agent({
  name: 'Travel',
  instructions: 'Book what you are asked to. Be brief.',
  tools: [book],
  ...modelUnlessKey((shown) => {
    const last = shown.at(-1)!;
    if (last.type === 'function_call_result') return assistantMessage(`So: ${JSON.stringify(last.output)}`);
    const [flight] = /TP \d+/.exec(JSON.stringify(last)) ?? [];
    if (!flight) return assistantMessage('Which flight?');
    return functionCall('book', { flight }, { callId: `call_${crypto.randomUUID()}` });
  }),
});
