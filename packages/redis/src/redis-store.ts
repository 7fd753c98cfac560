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
  type StoreCall,
} from '@sessions/core/store';
import { type RedisClient, ready } from './connection.ts';
import type { SessionKeys } from './keys.ts';
import { padOf } from './pad.ts';
import { redisError } from './redis-error.ts';
import { run } from './run-script.ts';
import { APPENDED, CHANGES_KEPT_MS, COMMIT, type CommitOptions, READ } from './scripts.ts';

/** The clients whose users are known to have the permissions that a change needs. */
const accessChecked = new WeakSet<RedisClient>();

/** One session's history in Redis: a list, changed by one script. */
export class RedisStore implements HistoryStore {
  readonly #client: RedisClient;
  readonly #keys: SessionKeys;
  readonly #options: ResolvedStoreOptions;
  readonly #ownsClient: boolean;
  /** The pop under way, if its record is longer than the pad: what was read, for when the reply to the drop is lost. */
  #longPop: { id: string; popped: string | undefined; ifVersion: string | undefined } | undefined;

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
    if (this.#client.status !== 'ready') await ready(this.#client, call);
    // A cluster's client may send plain reads to replicas, which lag behind (GET-9); a script goes to the master.
    if (versioned || moved || this.#client.isCluster) {
      const reply = await run(
        this.#client,
        READ,
        [3, items, version, operations, first, moved],
        'UNAVAILABLE',
      );
      const [records, found] = Array.isArray(reply) ? (reply as unknown[]) : [];
      return { records: textsOf(records), version: String(found) };
    }
    let records: unknown;
    try {
      records = await this.#client.lrange(items, first, -1);
    } catch (error) {
      throw redisError(error, 'UNAVAILABLE');
    }
    return { records: textsOf(records) };
  }

  async commit(change: HistoryChange, call: StoreCall): Promise<HistoryCommit> {
    if (!isPop(change)) return finished(await this.#change(change, undefined, call));
    // A long pop that was tried before, of which the store kept nothing, goes on where it was.
    return this.#longPop?.id === change.id ? this.#popLong(change, call) : this.#pop(change, call);
  }

  async #pop(change: HistoryChange, call: StoreCall): Promise<HistoryCommit> {
    const reply = await this.#change(change, padOf(change.id), call);
    if (reply[0] !== 'long') return finished(reply);
    const { records, version } = await this.read({ limit: 1, versioned: true }, call);
    if (records[0]?.startsWith(HELD_MARK)) throw new SessionError('UNREADABLE_ITEM');
    this.#longPop = { id: change.id, popped: records[0], ifVersion: version };
    return this.#popLong(change, call);
  }

  /** Pops a record that is longer than the pad: what was read first need not be given again by the store. */
  async #popLong(change: HistoryChange, call: StoreCall): Promise<HistoryCommit> {
    const { popped, ifVersion } = this.#longPop!;
    const reply = await this.#change({ ...change, ifVersion }, undefined, call);
    if (reply[0] === 'done') return { popped };
    // Somebody was first. Versions are never used again, so that no copy of this try can be applied any more.
    this.#longPop = undefined;
    if (reply[0] !== 'CONFLICT') return finished(reply);
    if (call.signal.aborted) throw new SessionError('UNAVAILABLE');
    return this.#pop(change, call);
  }

  async #change(change: HistoryChange, pad: Buffer | undefined, call: StoreCall): Promise<Reply> {
    const { items, version, operations, change: changeKey, popped } = this.#keys;
    const { ttlMs = '', timeoutMs } = this.#options;
    const isChecked = accessChecked.has(this.#client);
    const options =
      isChecked && isPlainAppend(change, timeoutMs) ? '' : optionsOf(change, timeoutMs, isChecked);
    const keys = [items, version, operations, changeKey(change.id)];
    const args = [change.id, ttlMs, options];
    if (this.#client.status !== 'ready') await ready(this.#client, call);
    const all = pad ? [5, ...keys, popped(change.id), ...args, pad] : [4, ...keys, ...args, ...change.add];
    const reply = await run(this.#client, COMMIT, all, 'OUTCOME_UNKNOWN');
    if (!isChecked) accessChecked.add(this.#client);
    // A client may have been told to give numbers as strings.
    if (Number(reply) === APPENDED) return DONE;
    return (Array.isArray(reply) ? reply : ['lost']) as Reply;
  }

  async close(): Promise<void> {
    if (this.#ownsClient) this.#client.disconnect();
  }
}

/** What the script says, and for a pop the record. */
type Reply = [
  outcome: 'done' | 'long' | 'lost' | 'CONFLICT' | 'OPERATION_CONFLICT' | 'UNREADABLE_ITEM',
  popped?: string,
];

const DONE: Reply = ['done'];

/** Whether a change is nothing but records that are added, as most are. */
function isPlainAppend({ drop, ifVersion, operation }: HistoryChange, timeoutMs: number): boolean {
  return drop === 0 && ifVersion === undefined && operation === undefined && timeoutMs <= CHANGES_KEPT_MS;
}

function optionsOf(change: HistoryChange, timeoutMs: number, isChecked: boolean): string {
  const { drop, ifVersion, operation, clear } = change;
  const patienceMs = Math.ceil(timeoutMs);
  const checkAccess = isChecked ? undefined : true;
  const options: CommitOptions = { drop, ifVersion, operation, clear, patienceMs, checkAccess };
  return JSON.stringify(options);
}

function finished([outcome, popped]: Reply): HistoryCommit {
  if (outcome === 'done') return { popped };
  // `lost`: an earlier try was applied, and what it removed is not kept any more. `long` is not for those who read first.
  throw new SessionError(outcome === 'lost' || outcome === 'long' ? 'OUTCOME_UNKNOWN' : outcome);
}

/** A client inside MULTI answers `QUEUED` to everything. */
function textsOf(reply: unknown): string[] {
  if (Array.isArray(reply) && reply.every((text) => typeof text === 'string')) return reply;
  const message =
    'The Redis client did not answer with a list. Is it inside MULTI? Use a client of its own for sessions.';
  throw new SessionError('INCOMPATIBLE_STORE', { message });
}
