import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { addOnce } from '../add-once.ts';
import type { Command } from '../command.ts';
import { Failure } from '../failure.ts';
import { readLines } from '../jsonl.ts';
import { readAll } from '../read-all.ts';
import { quoted } from '../visible.ts';

export const importItems: Command = {
  takes: ['URL', 'ID', '[FILE]'],
  options: ['append'],
  async run({ open, signal, options: { append = false } }, url, id, file = '-') {
    await using session = await open(url!, id!);
    const lines = await readInput(file, signal);
    const before = (await readAll(session, signal)).length;
    if (before > 0 && !append) {
      const how = 'With --append the items are put after them, but for what the same file brought before';
      throw new Failure('NOT_EMPTY', `${quoted(id!)} holds items already: ${before}. ${how}.`);
    }
    await addOnce(session, lines, signal);
    const after = (await session.getItems(undefined, { signal })).length;
    if (after === 0 && lines.length > 0) {
      const what = 'The same items were imported before and removed since, so they were not added again';
      throw new Failure('NOT_ADDED', `${what}. Clear ${quoted(id!)} to import them anew.`);
    }
    console.log(`${told(after - before, lines.length)} ${quoted(id!)} holds ${after}.`);
  },
};

function told(added: number, given: number): string {
  if (added === given) return `Items added: ${added}.`;
  return `Items added: ${added} of ${given}; an import adds what it did not add before, until the session is cleared.`;
}

async function readInput(file: string, signal: AbortSignal) {
  if (file === '-' && process.stdin.isTTY) throw new Failure('USAGE', 'Name a file, or pipe JSON Lines in.');
  try {
    const input = file === '-' ? process.stdin : createReadStream(file);
    return await readLines(addAbortSignal(signal, input));
  } catch (error) {
    signal.throwIfAborted();
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new Failure('USAGE', `${quoted(file)} cannot be read (${code}).`);
  }
}
