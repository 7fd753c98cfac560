/** A user's message. */
export function message(index: number): { role: string; content: string } {
  return { role: 'user', content: `m${index}` };
}

/** Messages `from` … `to - 1`. */
export function messages(from: number, to: number): { role: string; content: string }[] {
  return Array.from({ length: to - from }, (_, at) => message(from + at));
}

/** The same, as the Conversations API takes them. */
export function apiMessages(from: number, to: number): { type: string; role: string; content: string }[] {
  return messages(from, to).map((said) => ({ type: 'message', ...said }));
}

/** A tool call and its output, which only make sense side by side. */
export function callAndOutput(id: string): [object, object] {
  return [
    { type: 'function_call', callId: id, name: 'look', arguments: '{}' },
    { type: 'function_call_result', callId: id, output: 'seen' },
  ];
}
