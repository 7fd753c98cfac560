import type { OpenAIResponsesCompactionArgs } from '@sessions/core';
import type { AnySession } from '../../adapter.ts';
import type { CompactionApi } from '../../apis/compaction-api.ts';
import type { Bench } from '../../bench.ts';
import { type ConformanceCase, type Need, promise } from '../../case.ts';
import { same } from '../../check.ts';
import { turns, wordsOf } from './compaction-items.ts';

/** One case that needs a compacting wrapper. */
export function compacts(
  clause: `CMP-${number}`,
  title: string,
  run: (bench: Bench) => Promise<void>,
  ...needs: Need[]
): ConformanceCase {
  return promise(clause, title, run, 'compaction', ...needs);
}

/** All of a history, as words. */
export async function history(session: AnySession): Promise<string[]> {
  return wordsOf(await session.getItems(Number.POSITIVE_INFINITY));
}

/** What is left of `turns(count)` by the nth compaction. */
export function compacted(count: number, nth = 1): string[] {
  return [...wordsOf(turns(count)).filter((word) => word.startsWith('asks')), `compaction sealed ${nth}`];
}

/** How the history was handed to the API by the only request there was. */
export function sourceOf(api: CompactionApi): string {
  same(api.requests.length, 1, 'One request is made');
  const { input, previous_response_id: id } = api.requests[0]!;
  return id === undefined ? `input of ${input?.length}` : `the chain of ${id}${input ? ', and input' : ''}`;
}

export const FORCED: OpenAIResponsesCompactionArgs = { force: true };
