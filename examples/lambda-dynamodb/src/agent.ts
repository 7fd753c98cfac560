import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from '@openai/agents';
import { assistantMessage } from '@openai/agents/testing';
import { modelUnlessKey } from '@sessions/example-offline-model';

export const agent = new Agent({
  name: 'Assistant',
  instructions: 'Be brief.',
  ...modelUnlessKey(async (shown, signal) => {
    if (JSON.stringify(shown.at(-1)).includes('Think hard')) await pause(1_000, undefined, { signal });
    const [, name] = /name is (\w+)/.exec(JSON.stringify(shown)) ?? [];
    // No model says the same twice.
    const words = crypto.randomUUID().slice(0, 4);
    return assistantMessage(name ? `You are ${name}. (${words})` : `You did not say who you are. (${words})`);
  }),
});
