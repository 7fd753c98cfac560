type Item = Readonly<Record<string, unknown>>;

/** What a user says, as the Agents SDK has it. */
export function asks(text: string): Item {
  return { type: 'message', role: 'user', content: text };
}

/** What a model says. */
export function says(text: string, more: Item = {}): Item {
  const content = [{ type: 'output_text', text }];
  return { type: 'message', role: 'assistant', status: 'completed', content, ...more };
}

/** A tool call. */
export function calls(callId: string): Item {
  return { type: 'function_call', callId, name: 'look', arguments: '{}', status: 'completed' };
}

/** What a tool gave. */
export function gives(callId: string): Item {
  return { type: 'function_call_result', callId, name: 'look', status: 'completed', output: 'seen' };
}

/** What a model thought. */
export function thinks(more: Item): Item {
  return { type: 'reasoning', content: [{ type: 'input_text', text: 'hm' }], ...more };
}

/** Questions with their answers, from `q0` on. */
export function turns(count: number): Item[] {
  return Array.from({ length: count }, (_, at) => [asks(`q${at}`), says(`a${at}`)]).flat();
}

/** Each item in a few words, whichever of the two forms it has: the SDK's or the API's. */
export function wordsOf(items: unknown): string[] {
  return ((items ?? []) as (Item | null)[]).map((item) => {
    if (item === null) return 'null';
    const { type = 'message', role, content, callId, call_id: id = callId } = item;
    switch (type) {
      case 'message':
        return `${role === 'assistant' ? 'says' : 'asks'} ${textOf(content)}`;
      case 'function_call':
        return `calls ${id}`;
      case 'function_call_result':
      case 'function_call_output':
        return `gives ${id}`;
      case 'reasoning':
        return `thinks ${String(item.id ?? 'anew')}`;
      case 'compaction':
        return `compaction ${item.encrypted_content}`;
      default:
        return String(type);
    }
  });
}

function textOf(content: unknown): unknown {
  return Array.isArray(content) ? content.map((part: Item) => part.text).join() : content;
}
