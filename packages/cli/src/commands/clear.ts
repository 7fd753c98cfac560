import { isSessionError } from '@sessions/core';
import type { StoredSession } from '@sessions/core/store';
import { ask } from '../ask.ts';
import type { Command } from '../command.ts';
import { Failure } from '../failure.ts';
import { quoted, visible } from '../visible.ts';
import { where } from '../where.ts';

export const clear: Command = {
  takes: ['URL', 'ID'],
  options: ['yes'],
  async run({ open, signal, options: { yes = false } }, url, id) {
    await using session = await open(url!, id!);
    if (!yes) {
      if (!process.stdin.isTTY || !process.stderr.isTTY)
        throw new Failure('USAGE', 'There is nobody to ask. With --yes the session is cleared without.');
      const question = `Clear ${quoted(id!)} at ${visible(where(url!))}, ${await held(session, signal)}?`;
      if (!(await ask(question, signal))) throw new Failure('NOT_CONFIRMED', 'Nothing was cleared.');
    }
    await session.clearSession({ signal });
    console.log(`${quoted(id!)} is cleared.`);
  },
};

/** What is to be cleared, in words; also of a session that this version cannot read (POP-4). */
async function held(session: StoredSession<unknown>, signal: AbortSignal): Promise<string> {
  try {
    const { length } = await session.getItems(undefined, { signal });
    return length === 1 ? '1 item' : `${length} items`;
  } catch (error) {
    if (!isSessionError(error, 'UNREADABLE_ITEM')) throw error;
    return 'with items that this version cannot read';
  }
}
