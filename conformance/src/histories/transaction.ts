import type { HistoryTransactionArgs } from '@sessions/core';
import { stringify } from 'fast-check';
import { copy } from '../own-realm.ts';
import { arrayOf, type Batch, sourceOf } from './batch.ts';
import { withKeysReversed } from './suffix.ts';

/** A history transaction whose new items may be such as cannot be stored. */
export interface Transaction {
  readonly operationId: string;
  /** The expected suffix; an append has none, which is not the same as an empty one. */
  readonly suffix: readonly unknown[] | undefined;
  readonly batch: Batch;
}

/** Arguments of the caller's own. */
export function argsOf({ operationId, suffix, batch }: Transaction): HistoryTransactionArgs<unknown> {
  const items = arrayOf(batch);
  if (!suffix) return { operationId, transaction: { type: 'append_items', items } };
  const expectedSuffix = copy([...suffix]);
  return { operationId, transaction: { type: 'replace_suffix', expectedSuffix, replacement: items } };
}

export function sourceOfTransaction({ operationId, suffix, batch }: Transaction): string {
  const transaction = suffix
    ? `type: 'replace_suffix', expectedSuffix: ${sourceOf({ items: suffix })}, replacement: ${sourceOf(batch)}`
    : `type: 'append_items', items: ${sourceOf(batch)}`;
  return `{ operationId: ${stringify(operationId)}, transaction: { ${transaction} } }`;
}

/** The same transaction with the keys of its items the other way round. */
export function rephrased({ operationId, suffix, batch }: Transaction): Transaction {
  return {
    operationId,
    suffix: suffix?.map(withKeysReversed),
    batch: { ...batch, items: batch.items.map(withKeysReversed) },
  };
}
