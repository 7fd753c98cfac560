import { SessionError } from '../errors.ts';

/** The largest item, in bytes of its stored text (ADD-3, ADD-8). */
export const MAX_ITEM_BYTES = 32 * 1024 * 1024;

/** The largest batch, in bytes of its items' stored texts (ADD-3, ADD-8). */
export const MAX_BATCH_BYTES = 64 * 1024 * 1024;

/** The most items in one batch: what one command of any store's protocol can carry. */
export const MAX_BATCH_ITEMS = 1_000_000;

/** How deep an item may nest: well within what every JSON reader and every call stack takes. */
export const MAX_DEPTH = 1_000;

/** @throws SessionError `ITEM_TOO_LARGE` if there are more items than a batch may hold */
export function checkBatchLength(length: number): void {
  if (length > MAX_BATCH_ITEMS) throw batchTooLarge(`${MAX_BATCH_ITEMS} items`);
}

/** For an item over the maximum. */
export function itemTooLarge(index: number): SessionError {
  return new SessionError('ITEM_TOO_LARGE', {
    message: `Item ${index} is over the maximum of ${MAX_ITEM_BYTES} bytes. Nothing was written; store the payload elsewhere and keep a reference.`,
    index,
  });
}

/** For a batch over the maximum. */
export function batchTooLarge(maximum = `${MAX_BATCH_BYTES} bytes`): SessionError {
  return new SessionError('ITEM_TOO_LARGE', {
    message: `The batch is over the maximum of ${maximum}. Nothing was written; add it in parts.`,
  });
}

/** Bytes of well-formed `text` in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // A surrogate pair is four bytes for two units, so each unit of one adds one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
