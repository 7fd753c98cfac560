import { pipeline } from 'node:stream/promises';

/** What a stream says when its reader is gone. */
const LEFT = new Set<unknown>(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Writes items one after another, as fast as they are read. That the reader leaves before the end is no error (`| head`). */
export async function write<T>(
  items: readonly T[],
  print: (item: T, at: number) => string,
  to: NodeJS.WritableStream,
): Promise<void> {
  const texts = function* () {
    for (const [at, item] of items.entries()) yield print(item, at);
  };
  try {
    await pipeline(texts, to, { end: to !== process.stdout });
  } catch (error) {
    if (!LEFT.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}
