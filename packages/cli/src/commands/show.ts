import { styleText } from 'node:util';
import type { Command } from '../command.ts';
import { page } from '../pager.ts';
import { printItem, type Style } from '../print-item.ts';
import { printJson } from '../print-json.ts';
import { readAll } from '../read-all.ts';
import { quoted } from '../visible.ts';
import { write } from '../write.ts';

export const show: Command = {
  takes: ['URL', 'ID'],
  options: ['limit', 'no-pager'],
  async run({ open, signal, unguard, options: { limit, 'no-pager': noPager = false } }, url, id) {
    await using session = await open(url!, id!);
    const isAll = limit === undefined;
    const items = isAll ? await readAll(session, signal) : await session.getItems(limit, { signal });
    unguard();
    const { stdout } = process;
    if (!stdout.isTTY) {
      await write(items, (item) => `${printJson(item)}\n`, stdout);
    } else if (items.length === 0) {
      console.error(`${quoted(id!)} holds no items.`);
    } else {
      const style: Style = stdout.hasColors() ? styleText : (_, text) => text;
      // Of the newest few it is not known how many there are before them.
      const print = (item: unknown, at: number) => printItem(item, isAll ? `${at + 1} ` : '', style);
      await (noPager ? write(items, print, stdout) : page(items, print));
    }
  },
};
