import type { Session } from '@sessions/core';
import type { OpenAI } from 'openai';
import type {
  FunctionTool,
  ResponseInputItem,
  ResponseOutputItem,
} from 'openai/resources/responses/responses';

const weather: FunctionTool = {
  type: 'function',
  name: 'weather',
  description: 'The weather in a city.',
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};

/** Answers a question, with as many requests as it takes; the session is all that is remembered between two of them. */
export async function answer(
  client: OpenAI,
  model: string,
  session: Session<ResponseInputItem>,
  question: string,
): Promise<{ text: string; responseId: string }> {
  await session.addItems([{ type: 'message', role: 'user', content: question }]);
  for (;;) {
    const input = await session.getItems();
    const { id, output, output_text } = await client.responses.create({ model, tools: [weather], input });
    const results = output.flatMap(resultOf);
    // In one batch, so that no call is ever stored without its result. What the API gave it takes again, whatever the types say.
    await session.addItems([...(output as ResponseInputItem[]), ...results]);
    if (results.length === 0) return { text: output_text, responseId: id };
  }
}

/** What a tool says to a call. */
function resultOf(item: ResponseOutputItem): ResponseInputItem[] {
  if (item.type !== 'function_call') return [];
  const { city } = JSON.parse(item.arguments) as { city: string };
  return [{ type: 'function_call_output', call_id: item.call_id, output: `${city}: sunny, 24 °C` }];
}
