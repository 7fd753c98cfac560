/** What a client asked of a session. An item is the text that stands for it, and only one call adds it. */
export type Call =
  | { readonly kind: 'add'; readonly items: readonly string[] }
  | { readonly kind: 'pop' }
  | { readonly kind: 'read'; readonly limit?: number | undefined }
  | { readonly kind: 'clear' }
  | TransactionCall;

/** A call that may be made again under its id, and then changes nothing. */
export type TransactionCall =
  | { readonly kind: 'append'; readonly operationId: string; readonly items: readonly string[] }
  | {
      readonly kind: 'replace';
      readonly operationId: string;
      readonly expected: readonly string[];
      readonly replacement: readonly string[];
    };

/** How a call ended. */
export type Outcome =
  /** An add, a clear or a transaction succeeded. */
  | { readonly kind: 'done' }
  | { readonly kind: 'popped'; readonly item: string | undefined }
  | { readonly kind: 'read'; readonly items: readonly string[] }
  /** A transaction's suffix did not match: nothing changed. */
  | { readonly kind: 'mismatch' }
  /** It may take effect at any time from its start on, once, or never. */
  | { readonly kind: 'unknown' }
  /** It has no effect, ever. */
  | { readonly kind: 'none'; readonly code: string };

/** One call of a history. */
export interface Operation {
  readonly client: string;
  readonly call: Call;
  readonly outcome: Outcome;
  /** When the call was made, on one clock for all clients. */
  readonly start: number;
  /** When its outcome was known. A call whose outcome is unknown may take effect after that. */
  readonly end: number;
}

/** The items that a call adds if it takes effect. */
export function added(call: Call): readonly string[] {
  if (call.kind === 'add' || call.kind === 'append') return call.items;
  return call.kind === 'replace' ? call.replacement : [];
}

/** The items that must have been there, if the operation took effect now and not at an earlier try. */
export function observed({ call, outcome }: Operation): readonly string[] {
  if (outcome.kind === 'read') return outcome.items;
  if (outcome.kind === 'popped') return outcome.item === undefined ? [] : [outcome.item];
  return call.kind === 'replace' && outcome.kind === 'done' ? call.expected : [];
}
