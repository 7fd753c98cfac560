import { stringify } from 'devalue';
import type { EncodedTransaction } from './arguments.ts';
import type { RecordCodec } from './record-codec.ts';

/**
 * A text that is the same for two records if and only if their items are the same data: keys in whatever order,
 * and a property that is `undefined` like one that is absent (TXN-2, TXN-3).
 *
 * @param item - the record's, for whoever has read it already
 */
export function canonicalRecord<TRecord>(
  record: TRecord,
  codec: RecordCodec<TRecord>,
  item: unknown = codec.decode(record),
): string {
  try {
    return canonical(item);
  } catch {
    // Nested deeper than anything that is written here, by somebody else: equal to itself alone.
    return `!${codec.text(record)}`;
  }
}

/** Of two transactions the same text, if and only if they do the same (TXN-2, TXN-3). */
export async function digestOf<TRecord>(
  { type, expectedSuffix, add }: Omit<EncodedTransaction<TRecord>, 'operationId'>,
  codec: RecordCodec<TRecord>,
): Promise<string> {
  // On a stack of its own: where the caller's was nearly full, the text would be another.
  await undefined;
  const canonical = (records: readonly TRecord[]) => records.map((record) => canonicalRecord(record, codec));
  return digest(JSON.stringify([type, canonical(expectedSuffix), canonical(add)]));
}

/** SHA-256 in hexadecimal, so that what is remembered of a transaction gives away none of its content (CLR-3). */
export async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value instanceof Map) {
    return `Map(${Array.from(value, ([key, entry]) => `${canonical(key)}:${canonical(entry)}`).join()})`;
  }
  if (value instanceof Set) return `Set(${Array.from(value, canonical).join()})`;
  if (value instanceof Date || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    // Marked, since an array may look the same.
    return `=${stringify(value)}`;
  }
  const properties = Object.entries(value).filter(([, property]) => property !== undefined);
  properties.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${properties.map(([key, property]) => `${JSON.stringify(key)}:${canonical(property)}`).join()}}`;
}
