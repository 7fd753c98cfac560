import type { Backdoor, ConformanceAdapter, StoreGap, Unsupported } from './adapter.ts';
import type { ConformanceCase, Need } from './case.ts';

/** Why the opposite test of a capability does not apply, which is no gap. */
export const HAS_CAPABILITY = 'The adapter has this capability.';

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
    return adapter.capabilities[without] === true ? HAS_CAPABILITY : undefined;
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
    case 'plant':
    case 'contents':
    case 'records':
    case 'lifetimes':
    case 'throttle':
    case 'restart':
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
