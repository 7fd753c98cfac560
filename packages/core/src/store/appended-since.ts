import type { Version } from './history-store.ts';
import { isSameRecord, type RecordCodec } from './record-codec.ts';

/** A whole history, as it was at some time. */
interface Seen<TRecord> {
  readonly records: readonly TRecord[];
  readonly version: Version | undefined;
}

/**
 * What was appended to a history since it was seen, or `undefined` if anything was dropped from it. A drop is known by the
 * records that were seen not being the beginning any more, or by a change after which nothing is new.
 */
export function appendedSince<TRecord>(
  seen: Seen<TRecord>,
  now: Seen<TRecord>,
  codec: RecordCodec<TRecord>,
): readonly TRecord[] | undefined {
  if (now.version === seen.version) return [];
  const isLonger = now.records.length > seen.records.length;
  const isGrown =
    isLonger && seen.records.every((record, at) => isSameRecord(record, now.records[at]!, codec));
  return isGrown ? now.records.slice(seen.records.length) : undefined;
}
