import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from '@openai/agents';
import { assistantMessage } from '@openai/agents/testing';
import { modelUnlessKey } from '@sessions/example-offline-model';

export const agent = new Agent({
  name: 'Assistant',
  instructions: 'Be brief.',
  ...modelUnlessKey(async (shown) => {
    const asked = JSON.stringify(shown.at(-1));
    const questions = shown.filter((item) => 'role' in item && item.role === 'user').length;
    // As long as a real one takes, and longer.
    await pause(asked.includes('Think hard') ? 1_000 : 100);
    const [, name] = /name is (\w+)/.exec(JSON.stringify(shown)) ?? [];
    return assistantMessage(`Answer ${questions}${name ? `, ${name}` : ''}.`);
  }),
});
