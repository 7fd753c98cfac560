import type { OpenAIResponsesCompactionMode } from '@sessions/core';

/** How the history reaches the API: by the id of a response whose chain holds it, or as items. */
export type ResolvedCompactionMode = Exclude<OpenAIResponsesCompactionMode, 'auto'>;

/** What `auto` comes to (CMP-1): the chain of the last response, if there is one and the API keeps it. */
export function resolveCompactionMode(
  wanted: OpenAIResponsesCompactionMode,
  { responseId, store }: { responseId: string | undefined; store: boolean | undefined },
): ResolvedCompactionMode {
  if (wanted !== 'auto') return wanted;
  return responseId === undefined || store === false ? 'input' : 'previous_response_id';
}
