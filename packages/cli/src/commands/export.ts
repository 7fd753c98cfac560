import type { Command } from '../command.ts';
import { lineOf } from '../jsonl.ts';
import { readAll } from '../read-all.ts';
import { write } from '../write.ts';

export const exportItems: Command = {
  takes: ['URL', 'ID'],
  options: [],
  async run({ open, signal, unguard }, url, id) {
    await using session = await open(url!, id!);
    const items = await readAll(session, signal);
    unguard();
    await write(items, lineOf, process.stdout);
  },
};
