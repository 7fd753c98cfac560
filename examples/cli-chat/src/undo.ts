import type { AgentInputItem } from '@openai/agents';
import { isSessionError } from '@sessions/core';
import type { RedisSession } from '@sessions/redis';

/**
 * Takes the last turn back, the question and all that came of it, in one step (TXN-1).
 *
 * Pops would do for one who is alone. Where the same session is open elsewhere, they could take away what was said there
 * meanwhile; this fails instead.
 *
 * @returns the question, or why there is none
 */
export async function undo(session: RedisSession<AgentInputItem>): Promise<string> {
  const history = await session.getItems();
  const start = history.findLastIndex((item) => 'role' in item && item.role === 'user');
  if (start < 0) return 'There is nothing to take back.';
  try {
    await session.applyHistoryTransaction({
      operationId: crypto.randomUUID(),
      transaction: { type: 'replace_suffix', expectedSuffix: history.slice(start), replacement: [] },
    });
  } catch (error) {
    if (!isSessionError(error, 'SUFFIX_MISMATCH')) throw error;
    return 'Somebody else wrote meanwhile. Look at /history.';
  }
  return 'Taken back.';
}
