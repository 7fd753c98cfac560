import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from '@openai/agents';
import { assistantMessage } from '@openai/agents/testing';
import { modelUnlessKey } from '@sessions/example-offline-model';

export const agent = new Agent({
  name: 'Assistant',
  instructions: 'Be brief.',
  ...modelUnlessKey(async (shown, signal) => {
    const conversation = JSON.stringify(shown);
    if (JSON.stringify(shown.at(-1)).includes('Think hard')) await pause(60_000, undefined, { signal });
    const [, name] = /name is (\w+)/.exec(conversation) ?? [];
    return assistantMessage(name ? `You are ${name}.` : 'You did not say who you are.');
  }),
});
