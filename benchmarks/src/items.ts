import type { AgentInputItem } from '@openai/agents';

/** How many items one turn adds: a question, a call, its result and an answer, here all of them messages. */
export const TURN = 4;

/** So many messages, of the user and the assistant in turn; about 200 bytes of JSON each, or with a text of so many bytes. */
export function messages(count: number, bytes = 100): AgentInputItem[] {
  return Array.from({ length: count }, (_, index) =>
    message(index, `Message ${index}. `.padEnd(bytes, 'Nothing else to say. ')),
  );
}

/** One message: of the user if the number is even, else of the assistant. */
export function message(index: number, text: string): AgentInputItem {
  if (index % 2 === 0) return { type: 'message', role: 'user', content: text };
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    id: `msg_${index}`,
    content: [{ type: 'output_text', text }],
  };
}

/** The text of a message, which is all that some libraries keep. */
export function textOf(item: AgentInputItem): string {
  const { content } = item as { content: string | readonly { text: string }[] };
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
