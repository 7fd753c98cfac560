import { isSessionError } from '@sessions/core';
import type { AnySession } from '../adapter.ts';
import type { Call, Outcome } from './operation.ts';
import { itemOf, nameOf } from './race-item.ts';

/** One client in a race, which makes one call after another. */
export interface Racer {
  readonly name: string;
  /** Rejects for a failure that is none of a call's outcomes. */
  perform(call: Call): Promise<Outcome>;
}

/** A session as a racer. */
export function sessionRacer(name: string, session: AnySession): Racer {
  return { name, perform: (call) => perform(session, call) };
}

/** Makes a call on a session. */
export async function perform(session: AnySession, call: Call): Promise<Outcome> {
  try {
    return await attempt(session, call);
  } catch (error) {
    if (!isSessionError(error)) throw error;
    if (error.code === 'OUTCOME_UNKNOWN') return { kind: 'unknown' };
    if (error.code === 'SUFFIX_MISMATCH') return { kind: 'mismatch' };
    // Others kept writing until the time was up, or the store was away: nothing was done.
    if (error.code === 'CONFLICT' || error.code === 'UNAVAILABLE') return { kind: 'none', code: error.code };
    throw error;
  }
}

async function attempt(session: AnySession, call: Call): Promise<Outcome> {
  switch (call.kind) {
    case 'read':
      return { kind: 'read', items: (await session.getItems(call.limit)).map(nameOf) };
    case 'pop': {
      const item = await session.popItem();
      return { kind: 'popped', item: item === undefined ? undefined : nameOf(item) };
    }
    case 'add':
      await session.addItems(call.items.map(itemOf));
      break;
    case 'clear':
      await session.clearSession();
      break;
    case 'append':
      await session.applyHistoryTransaction!({
        operationId: call.operationId,
        transaction: { type: 'append_items', items: call.items.map(itemOf) },
      });
      break;
    case 'replace':
      await session.applyHistoryTransaction!({
        operationId: call.operationId,
        transaction: {
          type: 'replace_suffix',
          expectedSuffix: call.expected.map(itemOf),
          replacement: call.replacement.map(itemOf),
        },
      });
  }
  return { kind: 'done' };
}
