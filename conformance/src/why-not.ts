import type { Backdoor, ConformanceAdapter, StoreGap, Unsupported } from './adapter.ts';
import type { ConformanceCase, Need } from './case.ts';

/** Why the opposite test of a capability does not apply, which is no gap. */
const HAS_CAPABILITY = 'The adapter has this capability.';

/** Why nothing about compaction applies to a store, which is no gap either. */
const STORES_ONLY = 'Compaction is a wrapper’s, and this adapter is a store’s.';

/** Why nothing about the Conversations API applies to any other store. */
const OTHER_STORE = 'This is about the Conversations API, and this adapter’s store is another.';

/** Whether it is no gap in an adapter that a case does not apply to it for this reason. */
export function isNoGap(reason: string | undefined): boolean {
  return reason === HAS_CAPABILITY || reason === STORES_ONLY || reason === OTHER_STORE;
}

/** What the adapter's store does wrong or cannot do, if it is what a case is about. */
export function storeGapOf(
  { gaps }: ConformanceAdapter,
  { clause, title }: Pick<ConformanceCase, 'clause' | 'title'>,
): StoreGap | undefined {
  return gaps?.find((gap) => gap.clause === clause && (gap.title ?? title) === title);
}

/** Why a case does not apply to an adapter, in the adapter's own words; `undefined` if it does. */
export function whyNot(adapter: ConformanceAdapter, tried: ConformanceCase): string | undefined {
  const { needs, without } = tried;
  const gap = storeGapOf(adapter, tried);
  if (gap) return gap.reason;
  if (without !== undefined) {
    const has = without === 'compaction' ? !gapOf(adapter, without) : adapter.capabilities[without] === true;
    return has ? HAS_CAPABILITY : undefined;
  }
  for (const need of needs) {
    const gap = gapOf(adapter, need);
    if (gap) return gap.unsupported;
  }
  return undefined;
}

/** What it means that an adapter left out a part of the backdoor. */
const LEFT_OUT: Readonly<Record<keyof Backdoor, string>> = {
  plant: 'The adapter does not plant records.',
  contents: 'The adapter does not show what its store holds.',
  records: 'The adapter does not show how its items are stored.',
  lifetimes: 'The adapter does not show how long its records live.',
  throttle: 'The adapter does not make its store refuse writes for a while.',
  restart: 'The adapter does not start its store again.',
  removeDue: 'The adapter does not make its store remove what is due.',
  forget: 'The adapter does not make its store drop what it keeps for clients.',
};

function gapOf(adapter: ConformanceAdapter, need: Need): Unsupported | undefined {
  switch (need) {
    case 'wire':
    case 'processes':
    case 'namespaces':
    case 'closing':
      return gapIn(adapter[need]);
    case 'openWithoutResending': {
      const { wire } = adapter;
      if ('unsupported' in wire) return wire;
      if (wire.openWithoutResending) return undefined;
      return { unsupported: 'The adapter opens no client that sends nothing again by itself.' };
    }
    case 'compaction':
      return adapter.compaction ? gapIn(adapter.compaction) : { unsupported: STORES_ONLY };
    case 'conversations':
      return adapter.conversations ? gapIn(adapter.conversations) : { unsupported: OTHER_STORE };
    case 'plant':
    case 'contents':
    case 'records':
    case 'lifetimes':
    case 'throttle':
    case 'restart':
    case 'removeDue':
    case 'forget': {
      const { backdoor } = adapter;
      if ('unsupported' in backdoor) return backdoor;
      if (!backdoor[need]) return { unsupported: LEFT_OUT[need] };
      return gapIn(backdoor[need]);
    }
    default:
      return gapIn(adapter.capabilities[need]);
  }
}

function gapIn(part: unknown): Unsupported | undefined {
  return typeof part === 'object' && part !== null && 'unsupported' in part
    ? (part as Unsupported)
    : undefined;
}
