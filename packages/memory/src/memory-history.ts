import { SessionError } from '@sessions/core';
import {
  HELD_MARK,
  type HistoryChange,
  type HistoryCommit,
  type HistoryQuery,
  type HistoryRead,
  type HistoryStore,
  isPop,
  type ResolvedStoreOptions,
  type Version,
} from '@sessions/core/store';
import type { History, MemoryRecord, MemoryStore } from './memory-store.ts';

/** The version of a history that does not exist. */
const UNWRITTEN: Version = '0';

/**
 * One session's history in a {@link MemoryStore}. A change happens in one synchronous step, which cannot fail half way
 * and whose reply cannot be lost, so change ids need not be remembered.
 */
export class MemoryHistory implements HistoryStore<MemoryRecord> {
  readonly #store: MemoryStore;
  readonly #sessionId: string;
  readonly #options: ResolvedStoreOptions;

  constructor(store: MemoryStore, sessionId: string, options: ResolvedStoreOptions) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#options = options;
  }

  /** Gives a session that was never written to its first records. */
  begin(records: readonly MemoryRecord[]): void {
    if (records.length > 0 && !this.#store.get(this.#sessionId)) this.#append(undefined, records);
  }

  async read({ limit }: HistoryQuery): Promise<HistoryRead<MemoryRecord>> {
    const history = this.#store.get(this.#sessionId);
    if (!history) return { records: [], version: UNWRITTEN };
    if (this.#options.refreshTtlOnRead) this.#renew(history);
    const { records, version } = history;
    return { records: limit === undefined ? records.slice() : records.slice(-limit), version };
  }

  async commit(change: HistoryChange<MemoryRecord>): Promise<HistoryCommit<MemoryRecord>> {
    const { drop, add, ifVersion, operation } = change;
    const history = this.#store.get(this.#sessionId);
    const digest = operation && history?.operations?.get(operation.id);
    if (digest !== undefined) {
      if (digest !== operation?.digest) throw new SessionError('OPERATION_CONFLICT');
      return {};
    }
    if (ifVersion !== undefined && ifVersion !== (history?.version ?? UNWRITTEN)) {
      throw new SessionError('CONFLICT');
    }
    const popped = isPop(change) ? history?.records.at(-1) : undefined;
    if (typeof popped === 'string' && popped.startsWith(HELD_MARK)) throw new SessionError('UNREADABLE_ITEM');
    if (change.clear) {
      this.#store.delete(this.#sessionId);
      return {};
    }
    const dropped = drop === 0 ? [] : (history?.records.splice(drop === 'all' ? 0 : -drop) ?? []);
    if (dropped.length > 0 || add.length > 0 || operation) this.#append(history, add, operation);
    return { popped };
  }

  #append(
    before: History | undefined,
    add: readonly MemoryRecord[],
    operation?: HistoryChange['operation'],
  ): void {
    const history = before ?? this.#store.create(this.#sessionId);
    for (const record of add) history.records.push(record);
    if (operation) {
      history.operations ??= new Map();
      history.operations.set(operation.id, operation.digest);
    }
    history.version = this.#store.nextVersion();
    this.#renew(history);
  }

  #renew(history: History): void {
    const { ttlMs } = this.#options;
    if (ttlMs !== undefined) history.expiresAt = performance.now() + ttlMs;
  }
}
