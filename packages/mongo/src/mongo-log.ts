import { SessionError, type SessionErrorCode } from '@sessions/core';
import type {
  EventLog,
  LogErasure,
  LogRange,
  LogRow,
  ResolvedStoreOptions,
  StoreCall,
} from '@sessions/core/store';
import type {
  AnyBulkWriteOperation,
  BSONSerializeOptions,
  Collection,
  MongoClient,
  UpdateFilter,
} from 'mongodb';
import { mongoError } from './mongo-error.ts';
import { fieldsOf, prefixOf, type RowDocument, rowOf } from './row.ts';
import { ttlIndexOf } from './ttl-index.ts';

/** `MongoServerError` for a document whose `_id` is taken. */
const DUPLICATE_KEY = 11_000;

/** What the key of such a document is, where the server does not say. */
const ID = { _id: 1 };

/** How many rows are read at least, once those expected were not enough: the next are likely to be erased, and small. */
const LATER_PAGES = 20;

/** Whatever the client was told for its own documents (GET-9). */
const PLAIN: BSONSerializeOptions = {
  raw: false,
  fieldsAsRaw: {},
  promoteValues: true,
  promoteLongs: true,
  promoteBuffers: false,
  useBigInt64: false,
  checkKeys: false,
  serializeFunctions: false,
  ignoreUndefined: false,
};

/** What was acknowledged, and nothing that a failover could take back. */
const READS = { ...PLAIN, readPreference: 'primary', readConcern: { level: 'majority' } } as const;
const WRITES = { ...PLAIN, writeConcern: { w: 'majority', journal: true } } as const;

/** One session's rows in a collection: a document each, told apart by `_id`. */
export class MongoLog implements EventLog {
  /**
   * A document may have 16 MiB, of which a million texts, the most in one batch, take 13 bytes each for themselves. And a
   * pop has to write anew what is left of the row that it shortens.
   */
  readonly maxRowBytes = 3 * 1024 * 1024;
  readonly #collection: Collection<RowDocument>;
  readonly #prefix: string;
  readonly #expires: boolean;
  readonly #ownClient: MongoClient | undefined;
  /** How many commands of a call in a row found the client without any servers. */
  readonly #givenUp = new WeakMap<StoreCall, number>();

  constructor(
    collection: Collection<RowDocument>,
    sessionId: string,
    { ttlMs }: ResolvedStoreOptions,
    ownClient: MongoClient | undefined,
  ) {
    this.#collection = collection;
    this.#prefix = prefixOf(sessionId);
    this.#expires = ttlMs !== undefined;
    this.#ownClient = ownClient;
  }

  async *scan(range: LogRange, call: StoreCall): AsyncIterable<LogRow> {
    const { newestFirst, expected, heads } = range;
    const [first, last] = [this.#prefix + range.first, this.#prefix + range.last];
    const isOne = first === last;
    const [end, beyond] = newestFirst ? [first, '$lt'] : [last, '$gt'];
    const options = {
      ...READS,
      sort: { _id: newestFirst ? -1 : 1 },
      // The order of the index is followed, whatever other indexes there are: nothing is read that is not asked for. To a
      // single document servers have a shorter way, unless they are told this one.
      ...(!isOne && { hint: ID }),
      ...(heads && { projection: { texts: 0 } }),
      signal: call.signal,
    } as const;
    let within: object = { $gte: first, $lte: last };
    try {
      await this.#connected(call);
      // With a limit the server has no cursor to keep, which would have to be closed by another command.
      for (let limit = expected; ; limit = Math.max(limit, LATER_PAGES)) {
        let found = 0;
        let at = '';
        // FerretDB finds one document by its index, and ranges by reading them all.
        const filter = isOne ? { _id: first } : { _id: within };
        const page = this.#collection.find(filter, { ...options, limit, batchSize: limit });
        for await (const document of page) {
          found++;
          at = document._id;
          yield rowOf(document, this.#prefix);
        }
        if (found < limit || at === end) return;
        within = { ...within, [beyond]: at };
      }
    } catch (error) {
      throw this.#failure(error, 'UNAVAILABLE', call);
    }
  }

  async put(row: LogRow, call: StoreCall): Promise<boolean> {
    const _id = this.#prefix + row.key;
    let sent = 0;
    const head = new TextWhenSent(row.head, () => {
      if (call.signal.aborted) throw new SessionError('UNAVAILABLE');
      sent++;
    });
    const fields = { ...fieldsOf(row), head: head as unknown as string };
    const unanswered = () => (sent === 0 ? 'UNAVAILABLE' : 'OUTCOME_UNKNOWN');
    const write = async () => {
      await this.#connected(call);
      if (this.#expires) await ttlIndexOf(this.#collection, WRITES, call);
      if (row.rev === 0) {
        await this.#collection.insertOne({ _id, ...fields }, WRITES);
        return true;
      }
      const before = { _id, rev: row.rev - 1 };
      return (await this.#collection.replaceOne(before, fields, WRITES)).matchedCount === 1;
    };
    try {
      return await untilTimeUp(write(), call, unanswered);
    } catch (error) {
      const known = this.#failure(error, unanswered(), call);
      const { code, keyPattern = ID } = error as { code?: unknown; keyPattern?: object };
      if (code === DUPLICATE_KEY && '_id' in keyPattern) return false;
      // What the server says of the last try says nothing of those before, whose replies were lost.
      throw sent > 1 ? new SessionError('OUTCOME_UNKNOWN', { cause: known.cause }) : known;
    }
  }

  async erase(rows: readonly LogErasure[], call: StoreCall): Promise<void> {
    const operations = rows.map(({ key, leave }): AnyBulkWriteOperation<RowDocument> => {
      const filter = { _id: this.#prefix + key };
      // A change, where a replacement would do: of those FerretDB 1 keeps one of its 100 connections for each until all are
      // done, and stops answering when there are none left.
      return leave ? { updateMany: { filter, update: changeTo(leave) } } : { deleteOne: { filter } };
    });
    const write = this.#collection.bulkWrite(operations, { ...WRITES, ordered: false });
    try {
      await untilTimeUp(write, call, () => 'UNAVAILABLE');
    } catch (error) {
      throw this.#failure(error, 'UNAVAILABLE', call);
    }
  }

  async close(): Promise<void> {
    await this.#ownClient?.close();
  }

  /**
   * A client whose first attempt to connect failed has given up for ever, unless it is told to try again. One that its
   * owner closes fails in the same way once, but not twice, and must not be opened again.
   */
  async #connected(call: StoreCall): Promise<void> {
    if ((this.#givenUp.get(call) ?? 0) < 2) return;
    // Whether its owner closes it meanwhile shows once it is not told to.
    this.#givenUp.delete(call);
    await untilTimeUp(this.#collection.db.client.connect(), call, () => 'UNAVAILABLE');
  }

  #failure(error: unknown, otherwise: SessionErrorCode, call: StoreCall): SessionError {
    const hasGivenUp = (error as Error).name === 'MongoTopologyClosedError';
    this.#givenUp.set(call, hasGivenUp ? (this.#givenUp.get(call) ?? 0) + 1 : 0);
    return mongoError(error, otherwise);
  }
}

/** A text, of which the driver asks only when it has chosen a connection and sends the command. */
class TextWhenSent {
  readonly #text: string;
  readonly #send: () => void;

  constructor(text: string, send: () => void) {
    this.#text = text;
    this.#send = send;
  }

  // Of the class, and no property: so whoever watches the commands may copy them.
  toBSON(): string {
    this.#send();
    return this.#text;
  }
}

/** Makes a document this row, whatever it is. */
function changeTo(row: LogRow): UpdateFilter<RowDocument> {
  return { $set: fieldsOf(row), ...(row.removeAt === undefined && { $unset: { removeAt: true } }) };
}

/** Waits no longer than the caller does, so that it can be said what is known. */
function untilTimeUp<T>(
  work: Promise<T>,
  { signal }: StoreCall,
  known: () => 'UNAVAILABLE' | 'OUTCOME_UNKNOWN',
): Promise<T> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const leave = () => reject(new SessionError(known()));
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  // A call may make many writes.
  return Promise.race([work, timeUp]).finally(() => signal.removeEventListener('abort', leave));
}
