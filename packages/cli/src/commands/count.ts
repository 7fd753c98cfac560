import type { Command } from '../command.ts';
import { readAll } from '../read-all.ts';

export const count: Command = {
  takes: ['URL', 'ID'],
  options: [],
  async run({ open, signal }, url, id) {
    await using session = await open(url!, id!);
    console.log((await readAll(session, signal)).length);
  },
};
