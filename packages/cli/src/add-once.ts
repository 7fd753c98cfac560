import { createHash } from 'node:crypto';
import { isSessionError } from '@sessions/core';
import { MAX_BATCH_BYTES, MAX_BATCH_ITEMS, type StoredSession } from '@sessions/core/store';
import { Failure } from './failure.ts';
import type { Line } from './jsonl.ts';

/**
 * Appends items, once in the life of a session, however often it is tried: the operation's id is a digest of them all (TXN-2).
 * What fits one batch is added whole or not at all; more goes in batches, one after another.
 *
 * @throws Failure with the session error's code, if some batches are in and others not
 * @throws SessionError what `applyHistoryTransaction` throws, if none is
 */
export async function addOnce(
  session: StoredSession<unknown>,
  lines: readonly Line[],
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  for (const { record } of lines) hash.update(`${record}\n`);
  const digest = hash.digest('hex');
  let added = 0;
  for (const [at, items] of batches(lines).entries()) {
    const operationId = `@sessions/cli:${digest}:${at}`;
    try {
      await session.applyHistoryTransaction(
        { operationId, transaction: { type: 'append_items', items } },
        { signal },
      );
    } catch (error) {
      const code = isSessionError(error) ? error.code : error instanceof Failure && error.code;
      if (added === 0 || !code) throw error;
      const exitCode = error instanceof Failure ? error.exitCode : undefined;
      const how = `The first ${added} of ${lines.length} items were added`;
      throw new Failure(
        code,
        `${how}; with the next ones this happened: ${(error as Error).message}`,
        exitCode,
      );
    }
    added += items.length;
  }
}

function batches(lines: readonly Line[]): unknown[][] {
  const all: unknown[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { item, record } of lines) {
    const size = Buffer.byteLength(record);
    bytes += size;
    if (bytes > MAX_BATCH_BYTES || all.at(-1)!.length === MAX_BATCH_ITEMS) {
      all.push([]);
      bytes = size;
    }
    all.at(-1)!.push(item);
  }
  return all;
}
