/// <reference lib="esnext.disposable" preserve="true" />
import type { AgentItem } from '../agent-item.ts';
import { awaitSessionMutation } from '../await-session-mutation.ts';
import type {
  HistoryMutationsArgs,
  HistoryReplaceAwareSession,
  HistoryRewriteAwareSession,
  HistorySnapshot,
  HistorySnapshotAwareSession,
  HistoryTransactionArgs,
  HistoryTransactionAwareSession,
} from '../capabilities.ts';
import { inAdapter, isSessionError, SessionError, type SessionErrorCode } from '../errors.ts';
import { checkProtocolVersion, type ProtocolVersion } from '../protocol-version.ts';
import { AbstractSession, type SessionCallOptions } from '../session.ts';
import { checkSessionId } from '../session-id.ts';
import { resolveSessionLimit } from '../settings.ts';
import { appendedSince } from './appended-since.ts';
import { readMutations, readTransaction } from './arguments.ts';
import type { Call } from './call.ts';
import { Calls } from './calls.ts';
import { canonicalRecord, digestOf } from './canonical.ts';
import { DAMAGED, TEXT } from './codec.ts';
import { escapeId } from './escape-id.ts';
import {
  type HistoryChange,
  type HistoryCommit,
  type HistoryQuery,
  type HistoryRead,
  type HistoryStore,
  NO_VERSION,
  type Version,
} from './history-store.ts';
import { checkBatch, encodeAll, type RecordCodec } from './record-codec.ts';
import { rewriteCalls } from './rewrite.ts';
import { type ResolvedStoreOptions, resolveStoreOptions, type StoreOptions } from './store-options.ts';

interface StoredSessionParts<TRecord> {
  /** The adapter's name, such as `redis`; errors bear it. */
  readonly adapter: string;
  /**
   * The version of the protocol that the adapter was built for, written out: `1.0`. A core that does not keep it is
   * refused. Not checked, if left out.
   */
  readonly protocolVersion?: ProtocolVersion | undefined;
  readonly sessionId: string;
  /** Gives the store of this one session's history, once the id and the options are known to be good. */
  readonly open: (options: ResolvedStoreOptions) => HistoryStore<TRecord>;
  /** What the user chose, out of what every adapter takes. */
  readonly options?: StoreOptions | undefined;
}

interface RecordsOf<TRecord> {
  /** What the records of that store are: `TEXT`, which may be left out, or something else. */
  readonly codec: RecordCodec<TRecord>;
}

/** What an adapter gives to make a session of its store. */
export type StoredSessionInit<TRecord = string> = StoredSessionParts<TRecord> &
  ([TRecord] extends [string] ? Partial<RecordsOf<TRecord>> : RecordsOf<TRecord>);

/** The newest records of a history, what they hold, and the version that they belong to. */
interface Window<TRecord> {
  readonly records: readonly TRecord[];
  /** For each record its item, or `DAMAGED`. */
  readonly items: readonly unknown[];
  /** How many of the items are readable. */
  readonly readable: number;
  readonly version: Version | undefined;
}

/** What a store refuses after it has looked at the change id: no try of that change was applied. */
const REFUSALS: ReadonlySet<SessionErrorCode> = new Set([
  'CONFLICT',
  'OPERATION_CONFLICT',
  'UNREADABLE_ITEM',
]);

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/**
 * A full session over a store of two functions: limits, snapshots, codec, signals, time, order, transactions,
 * rewrites and life cycle are done here, once for all adapters.
 */
export class StoredSession<TItem = AgentItem, TRecord = string>
  extends AbstractSession<TItem>
  implements
    HistoryTransactionAwareSession<TItem>,
    HistoryRewriteAwareSession<TItem>,
    HistoryReplaceAwareSession<TItem>,
    HistorySnapshotAwareSession<TItem>,
    AsyncDisposable
{
  override readonly sessionId: string;
  readonly #adapter: string;
  readonly #store: HistoryStore<TRecord>;
  readonly #codec: RecordCodec<TRecord>;
  readonly #calls: Calls;
  #closing: Promise<void> | undefined;

  /**
   * @throws SessionError `INCOMPATIBLE_STORE` for an adapter of another protocol, `INVALID_SESSION_ID`,
   *   `INVALID_ARGUMENT`, `INVALID_LIMIT`, and what `open` throws
   */
  constructor(init: StoredSessionInit<TRecord>) {
    const { adapter, protocolVersion, sessionId, open, options = {} } = init;
    super();
    this.#adapter = adapter;
    // Left out only where records are text, which the compiler does not see here.
    this.#codec = (init.codec ?? TEXT) as RecordCodec<TRecord>;
    try {
      if (protocolVersion !== undefined) checkProtocolVersion(protocolVersion);
      this.sessionId = checkSessionId(sessionId);
      const resolved = resolveStoreOptions(options);
      this.sessionSettings = resolved.sessionSettings;
      this.#calls = new Calls(adapter, resolved.timeoutMs);
      this.#store = open(resolved);
    } catch (error) {
      throw inAdapter(error, adapter);
    }
  }

  override async getSessionId(): Promise<string> {
    await this.#calls.make(undefined, () => undefined);
    return this.sessionId;
  }

  override async getItems(limit?: number, options?: SessionCallOptions): Promise<TItem[]> {
    const items = await this.#calls.make(options, () => {
      const wanted = resolveSessionLimit(limit, this.sessionSettings);
      if (wanted === 0) return undefined;
      return (call) => this.#readNewest({ limit: wanted, versioned: false }, call);
    });
    return (items?.items.filter((item) => item !== DAMAGED) ?? []) as TItem[];
  }

  override async addItems(items: TItem[], options?: SessionCallOptions): Promise<void> {
    await this.#calls.make(options, () => {
      const add = encodeAll(items, this.#codec);
      if (add.length === 0) return undefined;
      return (call) => this.#commit({ drop: 0, add }, call, options);
    });
  }

  // `NoInfer`: of a session that is built where it is wanted, TypeScript would else infer items of `undefined` from this.
  override async popItem(options?: SessionCallOptions): Promise<NoInfer<TItem> | undefined> {
    return this.#calls.make(options, () => async (call) => {
      for (;;) {
        const { popped } = await this.#commit({ drop: 1, add: [] }, call, options);
        if (popped === undefined) return undefined;
        const item = this.#codec.decode(popped);
        if (item !== DAMAGED) return item as TItem;
      }
    });
  }

  override async clearSession(options?: SessionCallOptions): Promise<void> {
    await this.#calls.make(options, () => (call) => {
      return this.#commit({ drop: 'all', add: [], clear: true }, call, options);
    });
  }

  async applyHistoryTransaction(
    args: HistoryTransactionArgs<TItem>,
    // `object`: the official SDK's type has a run context here, which it hands only to sessions that ask for it.
    options?: SessionCallOptions & object,
  ): Promise<void> {
    await this.#calls.make(options, () => {
      const { operationId, ...transaction } = readTransaction(args, this.#codec);
      return async (call) => {
        const operation = {
          id: escapeId(operationId),
          digest: await call.wait(digestOf(transaction, this.#codec)),
        };
        const { expectedSuffix, add } = transaction;
        if (expectedSuffix.length === 0) {
          await this.#commit({ drop: 0, add, operation }, call, options);
          return;
        }
        const expected = expectedSuffix.map((record) => canonicalRecord(record, this.#codec));
        await this.#compute(call, async () => {
          // Once applied, an operation's suffix is no longer there: only the store knows which of the two it is.
          const found = await this.#findSuffix(expected, call);
          const change = 'drop' in found ? { ...found, add } : { drop: 0, add: [], ifVersion: NO_VERSION };
          try {
            await this.#commit({ ...change, operation }, call, options);
          } catch (error) {
            const unknown = isSessionError(error, 'CONFLICT') && error !== call.givenUp?.reason;
            if ('missing' in found && unknown) throw found.missing;
            throw error;
          }
        });
      };
    });
  }

  async applyHistoryMutations(
    args: HistoryMutationsArgs<TItem>,
    options?: SessionCallOptions,
  ): Promise<void> {
    await this.#calls.make(options, () => {
      const mutations = readMutations(args, this.#codec);
      if (mutations.length === 0) return undefined;
      return (call) => {
        return this.#compute(call, async () => {
          const window = await this.#readNewest({ limit: undefined, versioned: true }, call);
          const rewrite = rewriteCalls(window, mutations, this.#codec);
          if (rewrite) await this.#commit({ ...rewrite, ifVersion: window.version }, call, options);
        });
      };
    });
  }

  async replaceHistoryWithCompaction(items: TItem[], options?: SessionCallOptions): Promise<void> {
    await this.#calls.make(options, () => {
      const add = encodeAll(items, this.#codec);
      return (call) => this.#commit({ drop: 'all', add }, call, options);
    });
  }

  async snapshotHistory(options?: SessionCallOptions): Promise<HistorySnapshot<TItem>> {
    const whole = await this.#calls.make(options, () => (call) => {
      return this.#readNewest({ limit: undefined, versioned: true }, call);
    });
    const seen = whole!;
    return {
      items: seen.items.filter((item) => item !== DAMAGED) as TItem[],
      damaged: seen.items.length - seen.readable,
      replace: (items, replaceOptions) => this.#replaceSeen(seen, items, replaceOptions),
    };
  }

  /**
   * Ends this instance: from now on every method rejects with `CLOSED`, and so do the calls that wait for their
   * turn or for a read. A write under way is waited for. Then ends the connection, if the session opened it itself;
   * a client that was handed in is left alone (LIFE-1, LIFE-2). May be called again, also after it failed.
   */
  async close(): Promise<void> {
    this.#closing ??= this.#shutDown().catch((error: unknown) => {
      this.#closing = undefined;
      throw inAdapter(error, this.#adapter);
    });
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #shutDown(): Promise<void> {
    await this.#calls.close();
    await this.#store.close?.();
  }

  /** The newest records, as many as it takes to have `limit` readable ones among them (GET-7). */
  async #readNewest({ limit, versioned }: HistoryQuery, call: Call): Promise<Window<TRecord>> {
    for (let ask = limit; ; ask = ask && ask * 2) {
      const query = { limit: ask, versioned };
      const read = await this.#insist('UNAVAILABLE', call, () => call.wait(this.#store.read(query, call)));
      const window = newestReadable(read, limit, this.#codec);
      const isAll = ask === undefined || read.records.length < ask;
      if (isAll || window.readable === limit) return window;
    }
  }

  /** What has to be dropped to drop the expected suffix, or why it cannot be. */
  async #findSuffix(
    expected: readonly string[],
    call: Call,
  ): Promise<{ drop: number; ifVersion: Version | undefined } | { missing: SessionError }> {
    try {
      const query = { limit: expected.length, versioned: true };
      const { records, items, version: ifVersion } = await this.#readNewest(query, call);
      const found = items.flatMap((item, at) =>
        item === DAMAGED ? [] : [canonicalRecord(records[at]!, this.#codec, item)],
      );
      const matches = found.length === expected.length && found.every((text, at) => text === expected[at]);
      if (matches) return { drop: records.length, ifVersion };
      return { missing: new SessionError('SUFFIX_MISMATCH') };
    } catch (error) {
      if (isSessionError(error, 'UNREADABLE_ITEM') && error !== call.givenUp?.reason)
        return { missing: error };
      throw error;
    }
  }

  /** Puts items in the place of a history that was read, before what was only appended since (CMP-3). */
  async #replaceSeen(
    seen: Window<TRecord>,
    items: TItem[],
    options: SessionCallOptions | undefined,
  ): Promise<boolean> {
    let isReplaced = false;
    await this.#calls.make(options, () => {
      const replacement = encodeAll(items, this.#codec);
      return (call) => {
        let isNews = false;
        return this.#compute(call, async () => {
          const query = { limit: undefined, versioned: true };
          const now = isNews ? await this.#readNewest(query, call) : seen;
          isNews = true;
          const appended = appendedSince(seen, now, this.#codec);
          if (!appended) return;
          const add = [...replacement, ...appended];
          checkBatch(add, this.#codec);
          await this.#commit({ drop: 'all', add, ifVersion: now.version }, call, options);
          isReplaced = true;
        });
      };
    });
    return isReplaced;
  }

  /** Commits one change, under one id however often it has to be tried (FLT-1). */
  #commit(
    change: Omit<HistoryChange<TRecord>, 'id'>,
    call: Call,
    options: SessionCallOptions | undefined,
  ): Promise<HistoryCommit<TRecord>> {
    const identified = { ...change, id: crypto.randomUUID() };
    const committing = this.#insist('OUTCOME_UNKNOWN', call, () => {
      return call.settle(this.#store.commit(identified, call));
    });
    return options?.signal ? awaitSessionMutation(committing, options) : committing;
  }

  /** Reads, computes and commits again whenever somebody else was first, until the time is up. */
  async #compute(call: Call, attempt: () => Promise<void>): Promise<void> {
    let conflict: SessionError | undefined;
    for (;;) {
      try {
        // A store that answers at once would otherwise leave no turn to anybody else.
        if (conflict) await call.wait(pause(0));
        return await attempt();
      } catch (error) {
        if (!isSessionError(error) || error === call.givenUp?.reason) throw error;
        if (error.code !== 'CONFLICT') throw error.code === 'UNAVAILABLE' ? (conflict ?? error) : error;
        conflict = error;
      }
    }
  }

  /**
   * Tries until the store answers or the time is up. To try again is harmless: a read changes nothing, and a commit
   * is recognised by its id.
   *
   * @param failure - what is known after a failure that says nothing about itself
   */
  async #insist<T>(
    failure: 'UNAVAILABLE' | 'OUTCOME_UNKNOWN',
    call: Call,
    attempt: () => Promise<T>,
  ): Promise<T> {
    let unknown: SessionError | undefined;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        if (call.isTimeUp) throw new SessionError('UNAVAILABLE');
        return await attempt();
      } catch (caught) {
        if (call.givenUp && caught === call.givenUp.reason) throw caught;
        const error = isSessionError(caught) ? caught : new SessionError(failure, { cause: caught });
        // The store looks at the change id before anything else, so these say that no try was applied.
        if (REFUSALS.has(error.code)) throw error;
        if (error.code === 'OUTCOME_UNKNOWN') unknown ??= error;
        const mayPass = error.code === 'OUTCOME_UNKNOWN' || (error.code === 'UNAVAILABLE' && error.retryable);
        if (!mayPass || call.isTimeUp) throw unknown ?? error;
        // Nobody wants what was not written any more.
        if (call.givenUp && !unknown) throw error;
        const pausing = pause(pauseMs);
        await (failure === 'UNAVAILABLE' ? call.wait(pausing) : call.settle(pausing)).catch((left) => {
          if (call.givenUp && left === call.givenUp.reason) throw left;
        });
        // What the store said is worth more than that the time is up.
        if (call.isTimeUp) throw unknown ?? error;
      }
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}

/** The end of what was read, from the record on with which there are `limit` readable ones. */
function newestReadable<TRecord>(
  { records, version }: HistoryRead<TRecord>,
  limit: number | undefined,
  codec: RecordCodec<TRecord>,
): Window<TRecord> {
  const items: unknown[] = [];
  let readable = 0;
  let start = records.length;
  while (start > 0 && readable !== limit) {
    const item = codec.decode(records[--start]!);
    items.push(item);
    if (item !== DAMAGED) readable++;
  }
  return { records: start === 0 ? records : records.slice(start), items: items.reverse(), readable, version };
}
