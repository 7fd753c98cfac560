import { inspect } from 'node:util';
import { isSessionError, type SessionErrorCode } from '@sessions/core';
import { stringify } from 'fast-check';
import { inTime } from '../in-time.ts';
import { inOwnRealm } from '../own-realm.ts';
import { Refusal } from './model.ts';
import { sameData } from './same-data.ts';

/** What a call must come to, by the model. */
export type Expected =
  | { readonly kind: 'returns'; readonly value: unknown }
  /** What it returns is no matter. */
  | { readonly kind: 'succeeds' }
  | { readonly kind: 'refuses'; readonly code: SessionErrorCode; readonly index?: number | undefined }
  /** This very value is thrown. */
  | { readonly kind: 'throws'; readonly reason: unknown };

/** What a call came to. */
export type Outcome =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'pending'; readonly ms: number };

/** What the model makes of a call. */
export function expected(kind: 'returns' | 'succeeds', call: () => unknown): Expected {
  try {
    const value = call();
    return kind === 'returns' ? { kind, value } : { kind };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refuses', code: error.code };
    throw error;
  }
}

/** What an adapter makes of it, within a time. */
export async function outcomeOf(call: Promise<unknown>, ms: number): Promise<Outcome> {
  const late = new Error('The call is pending.');
  try {
    return { kind: 'returned', value: inOwnRealm(await inTime(call, ms, () => late)) };
  } catch (error) {
    return error === late ? { kind: 'pending', ms } : { kind: 'threw', error };
  }
}

export function isAsExpected(outcome: Outcome, wanted: Expected): boolean {
  switch (wanted.kind) {
    case 'returns':
      return outcome.kind === 'returned' && sameData(outcome.value, wanted.value, 'in order');
    case 'succeeds':
      return outcome.kind === 'returned';
    case 'throws':
      return outcome.kind === 'threw' && outcome.error === wanted.reason;
    case 'refuses': {
      if (outcome.kind !== 'threw' || !isSessionError(outcome.error, wanted.code)) return false;
      return wanted.index === undefined || outcome.error.index === wanted.index;
    }
  }
}

export function describeExpected(wanted: Expected): string {
  switch (wanted.kind) {
    case 'returns':
      return stringify(wanted.value);
    case 'succeeds':
      return 'success';
    case 'throws':
      return "the signal's own reason";
    case 'refuses': {
      const where = wanted.index === undefined ? '' : ` with the index ${wanted.index}`;
      return `a SessionError ${wanted.code}${where}`;
    }
  }
}

export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'returned':
      return stringify(outcome.value);
    case 'threw':
      return `thrown: ${inspect(outcome.error)}`;
    case 'pending':
      return `pending after ${outcome.ms} ms`;
  }
}
