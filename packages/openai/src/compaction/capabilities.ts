import type { AnyCapability } from './underlying.ts';

/** Who is told before a capability is used that a wrapper has to know of. */
interface Told {
  /** The history may be another one afterwards. */
  readonly changing: () => void;
  /** The session ends. */
  readonly closing: () => void;
}

type Name = keyof AnyCapability<unknown>;

const CHANGING = [
  'applyHistoryTransaction',
  'applyHistoryMutations',
  'replaceHistoryWithCompaction',
] as const satisfies Name[];

const UNCHANGING = [
  'snapshotHistory',
  'prepareHistoryItemForModelInput',
  'prepareHistoryItemsForPersistenceComparison',
  'preserveReasoningItemIdsForPersistence',
] as const satisfies Name[];

const CLOSING = ['close', Symbol.asyncDispose] as const satisfies Name[];

/** What a session has beside the four methods, and nothing else: capabilities are found by looking for them. */
export function capabilitiesOf<TItem>(
  inner: AnyCapability<TItem>,
  { changing, closing }: Told,
): AnyCapability<TItem> {
  const found: Partial<Record<Name, unknown>> = {};
  for (const name of [...CHANGING, ...UNCHANGING]) {
    const method: unknown = inner[name];
    if (typeof method !== 'function') continue;
    found[name] = (...args: unknown[]): unknown => {
      if (CHANGING.some((one) => one === name)) changing();
      return method.apply(inner, args);
    };
  }
  for (const name of CLOSING) {
    const end = inner[name];
    if (typeof end !== 'function') continue;
    found[name] = async (): Promise<void> => {
      closing();
      await end.call(inner);
    };
  }
  if (inner.acceptsRunContext === true) found.acceptsRunContext = true;
  return found as AnyCapability<TItem>;
}
