import { SessionError } from '@sessions/core';
import {
  type HistoryChange,
  type HistoryCommit,
  type HistoryQuery,
  type HistoryRead,
  type HistoryStore,
  isPop,
  type ResolvedStoreOptions,
  type StoreCall,
} from '@sessions/core/store';
import { type RedisClient, ready } from './connection.ts';
import type { SessionKeys } from './keys.ts';
import { padOf } from './pad.ts';
import { redisError } from './redis-error.ts';
import { run } from './run-script.ts';
import { ANY_VERSION, COMMIT, READ } from './scripts.ts';

/** One session's history in Redis: a list, changed by one script. */
export class RedisStore implements HistoryStore {
  readonly #client: RedisClient;
  readonly #keys: SessionKeys;
  readonly #options: ResolvedStoreOptions;
  readonly #ownsClient: boolean;
  /** The pop under way, if its record is longer than the pad: what was read, for when the reply to the drop is lost. */
  #longPop: (HistoryCommit & { readonly id: string }) | undefined;

  constructor(client: RedisClient, keys: SessionKeys, options: ResolvedStoreOptions, ownsClient: boolean) {
    this.#client = client;
    this.#keys = keys;
    this.#options = options;
    this.#ownsClient = ownsClient;
  }

  async read({ limit, versioned }: HistoryQuery, call: StoreCall): Promise<HistoryRead> {
    const { items, version, operations } = this.#keys;
    const { ttlMs = 0, refreshTtlOnRead } = this.#options;
    const first = limit === undefined ? 0 : -limit;
    const moved = refreshTtlOnRead ? ttlMs : 0;
    await ready(this.#client, call);
    try {
      // A cluster's client may send plain reads to replicas, which lag behind (GET-9); a script goes to the master.
      if (!versioned && !moved && !this.#client.isCluster) {
        return { records: await this.#client.lrange(items, first, -1) };
      }
      const reply = await run(this.#client, READ, [items, version, operations], [first, moved]);
      const [records, found] = reply as [string[], string];
      return { records, version: found };
    } catch (error) {
      throw redisError(error, 'UNAVAILABLE');
    }
  }

  async commit(change: HistoryChange, call: StoreCall): Promise<HistoryCommit> {
    if (this.#longPop?.id !== change.id) this.#longPop = undefined;
    const [outcome, popped] = await this.#change(change, isPop(change) ? padOf(change.id) : '', call);
    if (outcome === 'done') return { popped };
    if (outcome === 'long') return this.#popLong(change, call);
    if (outcome !== 'lost') throw new SessionError(outcome);
    // Applied by an earlier try, of which the store kept nothing.
    if (this.#longPop?.id === change.id) return this.#longPop;
    throw new SessionError('OUTCOME_UNKNOWN');
  }

  /** Pops a record that is longer than the pad: what was read first need not be given again by the store. */
  async #popLong(change: HistoryChange, call: StoreCall): Promise<HistoryCommit> {
    const { records, version } = await this.read({ limit: 1, versioned: true }, call);
    this.#longPop = { id: change.id, popped: records[0] };
    const [outcome] = await this.#change({ ...change, ifVersion: version }, '', call);
    return outcome === 'CONFLICT' ? this.commit(change, call) : this.#longPop;
  }

  async #change(change: HistoryChange, pad: Buffer | '', call: StoreCall): Promise<Outcome> {
    const { id, drop, add, ifVersion = ANY_VERSION, operation, clear } = change;
    const { items, version, operations, changes, popped } = this.#keys;
    const { ttlMs = 0, timeoutMs } = this.#options;
    await ready(this.#client, call);
    try {
      return (await run(
        this.#client,
        COMMIT,
        [items, version, operations, changes, popped(id)],
        [
          ...[id, drop, ifVersion, operation?.id ?? '', operation?.digest ?? ''],
          ...[clear ? 1 : 0, ttlMs, pad, Math.ceil(timeoutMs)],
          ...add,
        ],
      )) as Outcome;
    } catch (error) {
      throw redisError(error, 'OUTCOME_UNKNOWN');
    }
  }

  async close(): Promise<void> {
    if (this.#ownsClient) this.#client.disconnect();
  }
}

type Outcome = [
  outcome: 'done' | 'long' | 'lost' | 'CONFLICT' | 'OPERATION_CONFLICT' | 'UNREADABLE_ITEM',
  popped?: string,
];
