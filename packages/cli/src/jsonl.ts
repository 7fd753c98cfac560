import { isSessionError } from '@sessions/core';
import { DAMAGED, decodeRecord, encodeItems, MAX_ITEM_BYTES } from '@sessions/core/store';
import { Failure } from './failure.ts';
import { visible } from './visible.ts';

/** An item as a line of text, and what it is. */
export interface Line {
  readonly item: unknown;
  /** The item as stores have it: equal for equal items. */
  readonly record: string;
}

/** No text of an item that fits is longer: JSON may write each character as six. */
const LONGEST_LINE = 6 * MAX_ITEM_BYTES;

/** How stores write an item: JSON where JSON can say it, which never has a line feed in it. */
export function recordOf(item: unknown): string {
  return encodeItems([item])[0]!;
}

/**
 * An item as a line that {@link readLines} takes back: its JSON, or `=` and a form of core's for what JSON cannot say. As JSON
 * may, it escapes what would act on a terminal, or end a line for other programs.
 */
export function lineOf(item: unknown): string {
  return `${visible(recordOf(item))}\n`;
}

/**
 * Reads JSON Lines, all of them or none. Empty lines are passed over.
 *
 * @param chunks - bytes of UTF-8
 * @throws Failure `INVALID_LINE` with the line's number, never what is in it
 */
export async function readLines(chunks: AsyncIterable<Uint8Array>): Promise<Line[]> {
  const lines: Line[] = [];
  let number = 0;
  for await (const text of textLines(chunks)) {
    number++;
    if (text.trim() !== '') lines.push(readLine(text, number));
  }
  return lines;
}

function readLine(text: string, number: number): Line {
  try {
    const item = decodeRecord(text);
    if (item === DAMAGED) throw new Failure('INVALID_LINE', `Line ${number} is not JSON.`);
    return { item, record: recordOf(item) };
  } catch (error) {
    if (!isSessionError(error)) throw error;
    // Its own message counts items from 0, and there is one.
    const why = error.code === 'ITEM_TOO_LARGE' ? 'is too large' : 'cannot be stored';
    throw new Failure('INVALID_LINE', `Line ${number} ${why} (${error.code}).`);
  }
}

/** By line feeds alone: readline would also split at characters that JSON strings may hold. */
async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let pending = '';
  let number = 1;
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Failure('INVALID_LINE', `The text is not UTF-8, near line ${number}.`);
    }
  };
  for await (const chunk of chunks) {
    const parts = decode(chunk).split('\n');
    parts[0] = pending + parts[0];
    pending = parts.pop()!;
    number += parts.length;
    yield* parts;
    if (pending.length > LONGEST_LINE) throw new Failure('INVALID_LINE', `Line ${number} is too large.`);
  }
  yield pending + decode();
}
