import { isDeepStrictEqual } from 'node:util';
import type { AgentInputItem } from '@openai/agents';

/**
 * What is wrong with the stored records, given the items that the finished turns consisted of; nothing, if
 * each item is stored once and in order, and the last answer knew what was said in the first turn.
 */
export function verdict(turns: readonly AgentInputItem[][], stored: readonly string[]): string[] {
  const problems: string[] = [];
  const made = turns.flat();
  if (turns.length !== 2) problems.push(`${turns.length} turns were finished instead of 2`);
  if (
    !isDeepStrictEqual(
      stored.map((record) => essence(JSON.parse(record))),
      made.map(essence),
    )
  ) {
    problems.push(`the ${stored.length} stored items are not the ${made.length} of the finished turns`);
  }
  const answer = JSON.stringify(made.at(-1) ?? '');
  if (!/Ada/.test(answer) || !/Lisbon/.test(answer)) {
    problems.push('the last answer does not know the name and the city that were told at the beginning');
  }
  return problems;
}

/** What an item says. The runner leaves ids that only the service needs out of what it stores. */
function essence(item: AgentInputItem): unknown {
  const { type = 'message', role, callId, name, content, output } = item as Record<string, unknown>;
  const { arguments: args } = item as { arguments?: string };
  return JSON.parse(JSON.stringify({ type, role, callId, name, args, content, output }));
}
