import type { Call, Outcome } from './operation.ts';
import type { Json } from './process-opening.ts';

/** What the process that leads a race tells another. */
export type Order =
  | { readonly kind: 'open'; readonly module: string; readonly options: Json; readonly sessionId: string }
  | { readonly kind: 'call'; readonly racer: number; readonly call: Call };

/** Each order has its number, and so has the answer. */
export interface NumberedOrder {
  readonly number: number;
  readonly order: Order;
}

export interface Answer {
  readonly number: number;
  readonly outcome?: Outcome;
  /** What went wrong that is none of a call's outcomes. */
  readonly failure?: string;
}
