import type { ApiItem } from './check-items.ts';

interface StreamEvent extends ApiItem {
  type: string;
}

/** A response as the events that a client is sent when it asks for a stream, one after another. */
export function streamEvents(response: Readonly<Record<string, unknown>>): StreamEvent[] {
  const output = response.output as ApiItem[];
  const begun = { ...response, status: 'in_progress', output: [], usage: null };
  const events: StreamEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap(itemEvents),
    { type: 'response.completed', response },
  ];
  return events.map((event, at) => ({ ...event, sequence_number: at }));
}

function itemEvents(item: ApiItem, output_index: number): StreamEvent[] {
  return [
    { type: 'response.output_item.added', output_index, item: begun(item) },
    ...inside(item, output_index),
    { type: 'response.output_item.done', output_index, item },
  ];
}

/** What is sent before the parts: the item without them. */
function begun(item: ApiItem): ApiItem {
  const { type } = item;
  if (type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return item;
}

function inside(item: ApiItem, output_index: number): StreamEvent[] {
  const item_id = item.id;
  if (item.type === 'message') {
    return (item.content as ApiItem[]).flatMap((part, content_index) => {
      const place = { item_id, output_index, content_index };
      const text = part.text;
      const said: StreamEvent[] =
        typeof text === 'string'
          ? [
              { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] },
              { type: 'response.output_text.done', ...place, text, logprobs: [] },
            ]
          : [];
      return [
        {
          type: 'response.content_part.added',
          ...place,
          part: 'text' in part ? { ...part, text: '' } : part,
        },
        ...said,
        { type: 'response.content_part.done', ...place, part },
      ];
    });
  }
  if (item.type === 'function_call') {
    const place = { item_id, output_index };
    return [
      { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments },
      { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
    ];
  }
  return [];
}
