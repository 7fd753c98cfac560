import { addOnce } from '../add-once.ts';
import type { Command } from '../command.ts';
import { Failure } from '../failure.ts';
import { type Line, recordOf } from '../jsonl.ts';
import { readAll } from '../read-all.ts';
import { quoted } from '../visible.ts';

export const copy: Command = {
  takes: ['SOURCE_URL', 'SOURCE_ID', 'TARGET_URL', '[TARGET_ID]'],
  options: [],
  async run({ open, signal }, fromUrl, fromId, toUrl, toId = fromId) {
    await using source = await open(fromUrl!, fromId!);
    await using target = await open(toUrl!, toId!);
    const read = linesOf(await readAll(source, signal));
    if ((await target.getItems(1, { signal })).length > 0) {
      throw new Failure(
        'NOT_EMPTY',
        `The target ${quoted(toId!)} holds items already. Clear it, or choose another id.`,
      );
    }
    await addOnce(target, read, signal);
    const written = linesOf(await target.getItems(undefined, { signal }));
    const wrong = firstDifference(read, written);
    if (wrong !== undefined) {
      const what = `From item ${wrong + 1} on the target ${quoted(toId!)} is not the same as the source`;
      throw new Failure('NOT_THE_SAME', `${what}. Clear it and copy again while nobody else writes to it.`);
    }
    const now = linesOf(await source.getItems(undefined, { signal }));
    const changed = firstDifference(read, now);
    if (changed !== undefined) {
      const what = `The source ${quoted(fromId!)} was changed meanwhile, from item ${changed + 1} on`;
      throw new Failure(
        'NOT_THE_SAME',
        `${what}; the target is what it was. Clear the target and copy again.`,
      );
    }
    console.log(`Items copied: ${read.length}, and each compared. The source is as it was.`);
  },
};

function linesOf(items: readonly unknown[]): Line[] {
  return items.map((item) => ({ item, record: recordOf(item) }));
}

/** The first place in which two histories differ. */
function firstDifference(one: readonly Line[], other: readonly Line[]): number | undefined {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) if (one[at]?.record !== other[at]?.record) return at;
  return undefined;
}
