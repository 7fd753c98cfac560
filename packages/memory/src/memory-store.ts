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

/** What a store keeps of one session. */
export interface History {
  records: string[];
  version: Version;
  /** Operation ids with the digests of their transactions (TXN-2). */
  readonly operations: Map<string, string>;
  /** On the monotonic clock, in milliseconds. */
  expiresAt: number;
}

type Lifetime = Pick<ResolvedStoreOptions, 'ttlMs' | 'refreshTtlOnRead'>;

/** The version of a history that does not exist. */
const UNWRITTEN: Version = '0';

const SMALLEST_SWEEP = 1_000;

/** The histories of many sessions. Nothing but a clear or an expiry ever removes one: there is no bound. */
export class MemoryStore {
  readonly #histories = new Map<string, History>();
  /** Counts over all histories, so that none ever has a version twice. */
  #version = 0;
  #sweepAt = SMALLEST_SWEEP;

  /** One session's view of its history. Creates nothing. */
  history(sessionId: string, lifetime: Lifetime): MemoryHistory {
    return new MemoryHistory(this, sessionId, lifetime);
  }

  /** The history, unless there is none or it has expired (TTL-2). */
  get(sessionId: string): History | undefined {
    const history = this.#histories.get(sessionId);
    if (history && history.expiresAt <= performance.now()) {
      this.#histories.delete(sessionId);
      return undefined;
    }
    return history;
  }

  /** All histories by their ids, for whoever wants to list or save them. */
  entries(): IterableIterator<[sessionId: string, history: Readonly<History>]> {
    return this.#histories.entries();
  }

  create(sessionId: string): History {
    if (this.#histories.size >= this.#sweepAt) this.#sweep();
    const history: History = {
      records: [],
      version: UNWRITTEN,
      operations: new Map(),
      expiresAt: Number.POSITIVE_INFINITY,
    };
    this.#histories.set(sessionId, history);
    return history;
  }

  delete(sessionId: string): void {
    this.#histories.delete(sessionId);
  }

  nextVersion(): Version {
    return String(++this.#version);
  }

  /** Frees what expired and was not asked for since; each time the map has doubled, so at no cost a write. */
  #sweep(): void {
    for (const sessionId of this.#histories.keys()) this.get(sessionId);
    this.#sweepAt = Math.max(SMALLEST_SWEEP, this.#histories.size * 2);
  }
}

/**
 * One session's history in a {@link MemoryStore}. A change happens in one synchronous step, which cannot fail half way
 * and whose reply cannot be lost, so change ids need not be remembered.
 */
export class MemoryHistory implements HistoryStore {
  readonly #store: MemoryStore;
  readonly #sessionId: string;
  readonly #lifetime: Lifetime;

  constructor(store: MemoryStore, sessionId: string, lifetime: Lifetime) {
    this.#store = store;
    this.#sessionId = sessionId;
    this.#lifetime = lifetime;
  }

  /** Gives a session that was never written to its first records. */
  begin(records: readonly string[]): void {
    if (records.length > 0 && !this.#store.get(this.#sessionId)) this.#append(records);
  }

  async read({ limit }: HistoryQuery): Promise<HistoryRead> {
    const history = this.#store.get(this.#sessionId);
    if (!history) return { records: [], version: UNWRITTEN };
    if (this.#lifetime.refreshTtlOnRead) this.#renew(history);
    return { records: history.records.slice(-(limit ?? 0)), version: history.version };
  }

  async commit(change: HistoryChange): Promise<HistoryCommit> {
    const { drop, add, ifVersion, operation } = change;
    const history = this.#store.get(this.#sessionId);
    const digest = operation && history?.operations.get(operation.id);
    if (digest !== undefined) {
      if (digest !== operation?.digest) throw new SessionError('OPERATION_CONFLICT');
      return {};
    }
    if (ifVersion !== undefined && ifVersion !== (history?.version ?? UNWRITTEN)) {
      throw new SessionError('CONFLICT');
    }
    const popped = isPop(change) ? history?.records.at(-1) : undefined;
    if (popped?.startsWith(HELD_MARK)) throw new SessionError('UNREADABLE_ITEM');
    if (change.clear) {
      this.#store.delete(this.#sessionId);
    } else {
      if (drop !== 0) history?.records.splice(drop === 'all' ? 0 : -drop);
      if (history || add.length > 0 || operation) this.#append(add, operation);
    }
    return { popped };
  }

  #append(add: readonly string[], operation?: HistoryChange['operation']): void {
    const history = this.#store.get(this.#sessionId) ?? this.#store.create(this.#sessionId);
    for (const record of add) history.records.push(record);
    if (operation) history.operations.set(operation.id, operation.digest);
    history.version = this.#store.nextVersion();
    this.#renew(history);
  }

  #renew(history: History): void {
    const { ttlMs } = this.#lifetime;
    if (ttlMs !== undefined) history.expiresAt = performance.now() + ttlMs;
  }
}
