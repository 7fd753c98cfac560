import type { HistoryMutation } from '@sessions/core';
import type { Batch } from './batch.ts';
import type { SuffixTwist } from './suffix.ts';

/** A call that every session takes a signal with. */
export type BasicCall =
  | { readonly call: 'addItems'; readonly batch: Batch }
  | { readonly call: 'getItems'; readonly limit: number | undefined }
  | { readonly call: 'popItem' }
  | { readonly call: 'clearSession' };

/** One call of a session's. What depends on the history so far is said relative to it, so that any step may be left out. */
export type Call =
  | BasicCall
  | { readonly call: 'getSessionId' }
  | { readonly call: 'append'; readonly operationId: string; readonly batch: Batch }
  | {
      readonly call: 'replaceSuffix';
      readonly operationId: string;
      /** How many of the newest items are expected, before the twist. */
      readonly count: number;
      readonly twist: SuffixTwist;
      readonly batch: Batch;
    }
  /** A transaction that was sent before, once more, whatever became of it. */
  | { readonly call: 'repeatTransaction'; readonly which: number }
  /** An id that was sent before, with a transaction that likely is another one. */
  | { readonly call: 'reuseOperationId'; readonly which: number; readonly batch: Batch }
  | { readonly call: 'rewriteCalls'; readonly mutations: readonly HistoryMutation<unknown>[] }
  | { readonly call: 'compact'; readonly batch: Batch };

/** Which of the two instances that a history is played through. */
export type Instance = 'a' | 'b';

export type Step =
  /** What is not awaited is made together with the next call through the same instance (ORD-4). */
  | { readonly step: 'call'; readonly through: Instance; readonly call: Call; readonly awaited: boolean }
  /** A call whose signal fired before it was made (LIFE-4). */
  | { readonly step: 'aborted'; readonly through: Instance; readonly call: BasicCall }
  /** The whole history is read. */
  | { readonly step: 'readAll'; readonly through: Instance }
  | { readonly step: 'newInstance'; readonly through: Instance }
  | { readonly step: 'reopen'; readonly through: Instance };
