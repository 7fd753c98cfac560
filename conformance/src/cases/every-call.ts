import type { AnySession, Capabilities } from '../adapter.ts';
import { callAndOutput, message, messages } from '../items.ts';

/** One call of a session, as it is tried where things break. */
export interface TriedCall {
  readonly name: string;
  readonly needs?: keyof Capabilities;
  /** The history that it is made on. */
  readonly start: readonly unknown[];
  make(session: AnySession): Promise<unknown>;
  /** What it returns, and what it leaves of a history. */
  effect(history: readonly unknown[]): { readonly returned?: unknown; readonly left: readonly unknown[] };
  readonly isRead?: true;
}

const [CALL] = callAndOutput('c');
const REWRITTEN = { ...CALL, arguments: '{"changed":true}' };
const START = [message(0), CALL, message(2)];

/** More than a connection carries at once: 600 KB, and many items. */
const LARGE = Array.from({ length: 60 }, (_, at) => ({ at, content: 'é'.repeat(5_000) }));
const ADDED = messages(3, 6);

const adding = (added: readonly unknown[]) => (history: readonly unknown[]) => ({
  left: [...history, ...added],
});
const popping = (history: readonly unknown[]) => ({ returned: history.at(-1), left: history.slice(0, -1) });
const reading = (history: readonly unknown[]) => ({ returned: history, left: history });

/** Every call that touches a store. */
const EVERY_CALL: readonly TriedCall[] = [
  { name: 'getItems', start: START, make: (session) => session.getItems(), effect: reading, isRead: true },
  {
    name: 'getItems of much',
    start: LARGE,
    make: (session) => session.getItems(),
    effect: reading,
    isRead: true,
  },
  { name: 'addItems', start: START, make: (session) => session.addItems(ADDED), effect: adding(ADDED) },
  {
    name: 'addItems of much',
    start: START,
    make: (session) => session.addItems(LARGE),
    effect: adding(LARGE),
  },
  { name: 'popItem', start: START, make: (session) => session.popItem(), effect: popping },
  {
    name: 'popItem of a large item',
    start: [...START, LARGE[0]],
    make: (session) => session.popItem(),
    effect: popping,
  },
  {
    name: 'clearSession',
    start: START,
    make: (session) => session.clearSession(),
    effect: () => ({ left: [] }),
  },
  {
    name: 'applyHistoryTransaction, append_items',
    needs: 'transactions',
    start: START,
    make: (session) =>
      session.applyHistoryTransaction!({
        operationId: 'an append',
        transaction: { type: 'append_items', items: ADDED },
      }),
    effect: adding(ADDED),
  },
  {
    name: 'applyHistoryTransaction, replace_suffix',
    needs: 'transactions',
    start: START,
    make: (session) =>
      session.applyHistoryTransaction!({
        operationId: 'a replacement',
        transaction: { type: 'replace_suffix', expectedSuffix: START.slice(1), replacement: ADDED },
      }),
    // It changes no history but the one that ends as it expects.
    effect: (history) => ({
      left: history.length === START.length ? [message(0), ...ADDED] : history,
    }),
  },
  {
    name: 'applyHistoryMutations',
    needs: 'rewrites',
    start: START,
    make: (session) =>
      session.applyHistoryMutations!({
        mutations: [{ type: 'replace_function_call', callId: 'c', replacement: REWRITTEN as never }],
      }),
    effect: (history) => ({ left: history.map((item) => (item === CALL ? REWRITTEN : item)) }),
  },
  {
    name: 'replaceHistoryWithCompaction',
    needs: 'replacement',
    start: START,
    make: (session) => session.replaceHistoryWithCompaction!([...ADDED]),
    effect: () => ({ left: ADDED }),
  },
];

/** Those that an adapter with these capabilities has. */
export function callsOf(capabilities: Capabilities): TriedCall[] {
  return usableOf(EVERY_CALL, capabilities);
}

/** Of what needs one capability or none, that which an adapter with these has. */
export function usableOf<T extends { readonly needs?: keyof Capabilities }>(
  all: readonly T[],
  capabilities: Capabilities,
): T[] {
  return all.filter(({ needs }) => needs === undefined || capabilities[needs] === true);
}
