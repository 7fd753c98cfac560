import { isSessionError } from '@sessions/core';
import { ClauseBroken, same } from '../check.ts';
import { isEqual } from '../own-realm.ts';
import type { TriedCall } from './every-call.ts';

/** What a call says of itself. */
export type Said = 'done' | 'not done' | 'unknown';

/**
 * What a call says, and that what it returns is right.
 *
 * @param mayFail - whether something was broken for as long as the call waited
 * @throws ClauseBroken
 */
export async function outcomeOf(
  call: TriedCall,
  making: Promise<unknown>,
  what: string,
  { mayFail = false } = {},
): Promise<Said> {
  let returned: unknown;
  try {
    returned = await making;
  } catch (error) {
    if (mayFail && isSessionError(error, 'UNAVAILABLE')) return 'not done';
    if (mayFail && isSessionError(error, 'OUTCOME_UNKNOWN') && !call.isRead) return 'unknown';
    const codes = call.isRead ? 'UNAVAILABLE' : 'UNAVAILABLE or OUTCOME_UNKNOWN';
    throw new ClauseBroken(what, mayFail ? `success, ${codes}` : 'success', error);
  }
  same(returned, call.effect(call.start).returned, `${what}: what it returns`);
  return 'done';
}

/** Histories that are possible, from the earliest on. */
export type Histories = readonly (readonly unknown[])[];

export function historiesAfter({ start, effect }: TriedCall, said: Said): Histories {
  const { left } = effect(start);
  return { done: [left], 'not done': [start], unknown: [start, left] }[said];
}

/**
 * What is possible once a history was found: what has happened stays, what has not may come still.
 *
 * @throws ClauseBroken if that one was not possible
 */
export function historyFrom(possible: Histories, found: unknown[], what: string): Histories {
  const at = possible.findIndex((history) => isEqual(found, history));
  if (at < 0) throw new ClauseBroken(what, { oneOf: possible }, found);
  return possible.slice(at);
}
