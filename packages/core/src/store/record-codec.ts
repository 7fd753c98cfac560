import { SessionError } from '../errors.ts';
import { batchTooLarge, checkBatchLength, MAX_BATCH_BYTES, utf8Bytes } from './limits.ts';

/** What a session's items are to its store: how they become records there, and items again. `TEXT` is one, `COPIES` another. */
export interface RecordCodec<TRecord> {
  /**
   * A record of the item, as it is now. Refuses what is no data, and what has more than `MAX_ITEM_BYTES` as text.
   *
   * @param index - its place among the items of the call, for errors
   * @throws SessionError `INVALID_ITEM`, `ITEM_TOO_LARGE`
   */
  encode(item: unknown, index: number): TRecord;
  /**
   * An item of the caller's own, or `DAMAGED` (POP-3).
   *
   * @throws SessionError `UNREADABLE_ITEM` if the record must never be dropped unread (POP-4)
   */
  decode(record: TRecord): unknown;
  /** What the record is as text: that has the size which is limited, and records of one text are the same. */
  text(record: TRecord): string;
  /** No less than that text has in bytes, and known without it. */
  mostBytes(record: TRecord): number;
}

/**
 * Makes records of items, of all or none (ADD-3 … ADD-5, VAL-1 … VAL-5). Synchronous: what the caller does to the items
 * afterwards changes nothing.
 *
 * @param items - read once, each index once
 * @throws SessionError `INVALID_ARGUMENT` if it is not an array, `INVALID_ITEM`, `ITEM_TOO_LARGE`
 */
export function encodeAll<TRecord>(items: unknown, codec: RecordCodec<TRecord>): TRecord[] {
  if (!Array.isArray(items)) {
    throw new SessionError('INVALID_ARGUMENT', {
      message: 'Items must be an array. Nothing was written; correct the call.',
    });
  }
  const { length } = items;
  checkBatchLength(length);
  const batch = new Batch(codec);
  // Refused long before the end, if it cannot fit, rather than when memory is gone.
  for (let index = 0; index < length; index++) batch.add(codec.encode(items[index], index));
  return batch.records;
}

/** Whether two records are the same. Those of copies are so too if somebody took one away and added its like. */
export function isSameRecord<TRecord>(a: TRecord, b: TRecord, { text }: RecordCodec<TRecord>): boolean {
  return a === b || text(a) === text(b);
}

/** @throws SessionError `ITEM_TOO_LARGE` if the records are more than one change may add */
export function checkBatch<TRecord>(records: readonly TRecord[], codec: RecordCodec<TRecord>): void {
  checkBatchLength(records.length);
  const batch = new Batch(codec);
  for (const record of records) batch.add(record);
}

/** Records up to the largest batch. Few come near that, so only those are counted byte by byte. */
class Batch<TRecord> {
  readonly records: TRecord[] = [];
  readonly #codec: RecordCodec<TRecord>;
  /** How many of the records are counted, and their bytes. */
  #counted = 0;
  #bytes = 0;
  /** What the others have at most. */
  #mostBytes = 0;

  constructor(codec: RecordCodec<TRecord>) {
    this.#codec = codec;
  }

  add(record: TRecord): void {
    this.records.push(record);
    this.#mostBytes += this.#codec.mostBytes(record);
    if (this.#bytes + this.#mostBytes <= MAX_BATCH_BYTES) return;
    while (this.#counted < this.records.length) {
      this.#bytes += utf8Bytes(this.#codec.text(this.records[this.#counted++]!));
    }
    this.#mostBytes = 0;
    if (this.#bytes > MAX_BATCH_BYTES) throw batchTooLarge();
  }
}
