import { recordOf } from '../items/api-item.ts';

/** What a compaction consumed, under the names of the Agents SDK's, which adds it to the usage of the run. */
export interface CompactionUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly inputTokensDetails: Record<string, number>;
  readonly outputTokensDetails: Record<string, number>;
  readonly endpoint: 'responses.compact';
}

/** The usage that the API reports; what it leaves out counts as nothing. */
export function compactionUsage(usage: unknown): CompactionUsage {
  const { input_tokens, output_tokens, total_tokens, input_tokens_details, output_tokens_details } =
    recordOf(usage) ?? {};
  return {
    inputTokens: count(input_tokens),
    outputTokens: count(output_tokens),
    totalTokens: count(total_tokens),
    inputTokensDetails: { ...(recordOf(input_tokens_details) as Record<string, number>) },
    outputTokensDetails: { ...(recordOf(output_tokens_details) as Record<string, number>) },
    endpoint: 'responses.compact',
  };
}

function count(tokens: unknown): number {
  return typeof tokens === 'number' ? tokens : 0;
}
