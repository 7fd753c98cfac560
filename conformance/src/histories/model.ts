import type { HistoryMutation, HistoryTransaction, SessionErrorCode } from '@sessions/core';
import { copy } from '../own-realm.ts';
import { sameData } from './same-data.ts';

/** The model refuses a call: an adapter must, with the same code, and neither changes anything. */
export class Refusal extends Error {
  readonly code: SessionErrorCode;

  constructor(code: SessionErrorCode) {
    super(code);
    this.code = code;
  }
}

/**
 * What a session is, said in the fewest words: a list of items and the operations that were applied to it. It shares no
 * code with any adapter, so that what both get wrong is at least not the same thing. What items are it takes for granted.
 */
export class HistoryModel {
  #items: unknown[] = [];
  readonly #operations = new Map<string, HistoryTransaction<unknown>>();

  get length(): number {
    return this.#items.length;
  }

  getItems(limit = Number.POSITIVE_INFINITY): unknown[] {
    if (!Number.isInteger(limit) && Math.abs(limit) !== Number.POSITIVE_INFINITY) {
      throw new Refusal('INVALID_LIMIT');
    }
    return copy(limit > 0 ? this.#items.slice(-limit) : []);
  }

  addItems(items: readonly unknown[]): void {
    this.#items.push(...copy(items));
  }

  popItem(): unknown {
    return this.#items.pop();
  }

  clearSession(): void {
    this.#items = [];
    this.#operations.clear();
  }

  applyHistoryTransaction(operationId: string, transaction: HistoryTransaction<unknown>): void {
    const known = this.#operations.get(operationId);
    if (known && sameData(known, transaction, 'in any order')) return;
    if (known) throw new Refusal('OPERATION_CONFLICT');
    if (transaction.type === 'append_items') {
      this.addItems(transaction.items);
    } else {
      const { expectedSuffix, replacement } = transaction;
      const start = this.#items.length - expectedSuffix.length;
      if (start < 0 || !sameData(this.#items.slice(start), expectedSuffix, 'in any order')) {
        throw new Refusal('SUFFIX_MISMATCH');
      }
      this.#items.splice(start);
      this.addItems(replacement);
    }
    this.#operations.set(operationId, copy(transaction));
  }

  applyHistoryMutations(mutations: readonly HistoryMutation<unknown>[]): void {
    for (const { callId, replacement } of mutations) {
      const first = this.#items.findIndex((item) => isCall(item, callId));
      if (first === -1) continue;
      this.#items[first] = copy(replacement);
      this.#items = this.#items.filter((item, at) => at <= first || !isCall(item, callId));
    }
  }

  replaceHistoryWithCompaction(items: readonly unknown[]): void {
    this.#items = [...copy(items)];
  }
}

function isCall(item: unknown, callId: string): boolean {
  if (typeof item !== 'object' || item === null || !('type' in item) || !('callId' in item)) return false;
  return item.type === 'function_call' && item.callId === callId;
}
