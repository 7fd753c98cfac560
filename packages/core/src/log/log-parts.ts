import { utf8Bytes } from '../store/limits.ts';
import type { LogErasure, LogRow } from './event-log.ts';
import { ordered, type Parts } from './log-event.ts';

/** A part's own account of itself. */
interface Head {
  /** The first text goes on with a record that began in the part before. */
  readonly continues?: true;
}

/** Room for a part's head, in bytes. */
const HEAD_BYTES = 32;

/** What a text costs beside its own bytes: stores count something for each, and there may be very many very short ones. */
const OWN_BYTES = 1;

export function textBytes(text: string): number {
  return utf8Bytes(text) + OWN_BYTES;
}

interface Part {
  readonly texts: readonly string[];
  readonly continues: boolean;
}

/** Records in parts of at most `maxRowBytes` each; one that does not fit into a part of its own is cut into pieces. */
export function splitIntoParts(records: readonly string[], maxRowBytes: number): Part[] {
  const most = maxRowBytes - HEAD_BYTES;
  const parts: Part[] = [];
  let texts: string[] = [];
  let continues = false;
  let free = most;
  const close = (isPiece: boolean) => {
    parts.push({ texts, continues });
    texts = [];
    continues = isPiece;
    free = most;
  };
  for (const record of records) {
    let at = 0;
    do {
      const end = fitting(record, at, free - OWN_BYTES);
      // What fits whole into a part of its own is not cut, so that most records can be read in the store.
      const isWhole = at === 0 && end === record.length;
      if (
        !isWhole &&
        at === 0 &&
        texts.length > 0 &&
        fitting(record, 0, most - OWN_BYTES) === record.length
      ) {
        close(false);
        continue;
      }
      if (end === at && record.length > at) {
        close(at > 0);
        continue;
      }
      const piece = record.slice(at, end);
      texts.push(piece);
      free -= textBytes(piece);
      at = end;
      if (at < record.length) close(true);
    } while (at < record.length);
  }
  if (texts.length > 0) close(false);
  return parts;
}

export function partKey({ life, name }: Pick<Parts, 'life' | 'name'>, index: number): string {
  return `p${ordered(life)}.${name}.${String(index).padStart(6, '0')}`;
}

export function partRow(
  parts: Omit<Parts, 'counts'>,
  index: number,
  { texts, continues }: Part,
  removeAt: number | undefined,
): LogRow {
  const head: Head = continues ? { continues } : {};
  return { key: partKey(parts, index), rev: 0, head: JSON.stringify(head), texts, removeAt };
}

/** How many records begin in a part. */
export function begunIn({ texts, continues }: Part): number {
  return texts.length - Number(continues);
}

/** Which parts hold the records from `start` up to `end`: first and last index. */
export function partsWith(
  { counts }: Parts,
  start: number,
  end: number,
): { first: number; last: number; skip: number } {
  let [first, last, skip, begun] = [0, counts.length - 1, start, 0];
  for (const [index, count] of counts.entries()) {
    if (count > 0 && begun <= start) [first, skip] = [index, start - begun];
    begun += count;
    // The end of the last record may stand before the next one in the same part.
    if (begun > end) {
      last = index;
      break;
    }
  }
  return { first, last, skip };
}

/** Records out of consecutive parts; those of which the beginning is not there are left out. */
export function joinParts(rows: readonly LogRow[]): string[] {
  const records: string[] = [];
  for (const { head, texts } of rows) {
    const [piece, ...others] = continuesOf(head) ? texts : [undefined, ...texts];
    if (piece !== undefined && records.length > 0) records[records.length - 1] += piece;
    for (const text of others) records.push(text as string);
  }
  return records;
}

/** What has to be done to parts for only the first `keep` records to be left. */
export function cutParts(
  parts: Parts,
  keep: number,
): { parts: Parts; last: number; left: number; gone: string[] } {
  const counts: number[] = [];
  let begun = 0;
  for (const count of parts.counts) {
    counts.push(Math.min(count, keep - begun));
    begun += count;
    if (begun > keep) break;
  }
  const last = counts.length - 1;
  const gone = Array.from({ length: parts.counts.length - counts.length }, (_, at) =>
    partKey(parts, counts.length + at),
  );
  return { parts: { ...parts, counts }, last, left: counts[last] ?? 0, gone };
}

/** A part that is left with so many of the records that begin in it. */
export function cutPart(row: LogRow, left: number): LogRow {
  const texts = row.texts.slice(0, left + Number(continuesOf(row.head)));
  return { ...row, texts, rev: row.rev + 1 };
}

/** The erasure of all parts of an event. */
export function partErasures({ parts }: { readonly parts?: Parts | undefined }): LogErasure[] {
  return parts ? parts.counts.map((_, index) => ({ key: partKey(parts, index) })) : [];
}

function continuesOf(head: string): boolean {
  return (JSON.parse(head) as Head).continues === true;
}

/** Where the text from `at` on, cut between two characters, has no more than so many bytes in UTF-8. */
function fitting(text: string, at: number, bytes: number): number {
  if ((text.length - at) * 3 <= bytes) return text.length;
  let left = bytes;
  let end = at;
  while (end < text.length) {
    const code = text.codePointAt(end)!;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (left < 0) break;
    end += code < 0x10000 ? 1 : 2;
  }
  return end;
}
