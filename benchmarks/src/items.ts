import type { AgentInputItem } from '@openai/agents';

/** A user's message and an answer, as a turn stores them; about 350 bytes of JSON. */
export function turn(index: number): AgentInputItem[] {
  return [
    {
      type: 'message',
      role: 'user',
      content: `What about number ${index}? ${'Please be precise. '.repeat(3)}`,
    },
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      id: `msg_${index}`,
      content: [
        { type: 'output_text', text: `Number ${index} is fine. ${'Nothing else to say. '.repeat(3)}` },
      ],
    },
  ];
}

export function turns(count: number): AgentInputItem[] {
  return Array.from({ length: count }, (_, index) => turn(index)).flat();
}
