import { added, type Operation, observed } from './operation.ts';
import { Search } from './search.ts';

/** Whether one order, which agrees with real time, explains what all calls of a history returned. */
export type Verdict = { readonly ok: true } | Unexplained;

/** The shortest beginning of a history that no order explains, seen from its last call. */
export interface Unexplained {
  readonly ok: false;
  /** The call whose end left no explanation, and all that may have taken effect during it, by their starts. */
  readonly window: readonly Operation[];
  /** The one of them that was the last to end. */
  readonly culprit: Operation;
  /** What the list may have been when that call began, given all that had returned before it; a few if they are many. */
  readonly before: readonly (readonly string[])[];
}

interface CheckOptions {
  /** How many different situations are looked at before the search gives up with an error. A million by default. */
  readonly situations?: number | undefined;
}

/** How many different lists before the window are looked for. */
const MOST_LISTS = 20;

/**
 * Checks that one order of a session's calls explains all their results (ORD-1).
 *
 * @throws NoVerdict when too many calls overlap to look at every order
 */
export function checkLinearizability(
  history: readonly Operation[],
  { situations }: CheckOptions = {},
): Verdict {
  const isExplained = (part: readonly Operation[]) => new Search(part, situations).explains();
  if (isExplained(history)) return { ok: true };
  const culprit = firstUnexplained(history, isExplained);
  const before = new Search(until(history, culprit.start, 'excluded'), situations).endings(MOST_LISTS);
  const settled = before.complete ? before.surelyEffective : new Set<Operation>();
  return {
    ok: false,
    culprit,
    window: windowOf(history, culprit, settled),
    before: before.lists,
  };
}

/** The first call at whose end there is no explanation of what had returned until then. */
function firstUnexplained(
  history: readonly Operation[],
  isExplained: (part: readonly Operation[]) => boolean,
): Operation {
  const byEnd = history.filter(({ outcome }) => outcome.kind !== 'unknown' && outcome.kind !== 'none');
  byEnd.sort((one, other) => one.end - other.end);
  // What explains a history explains its beginnings, so that halving finds the first that has no explanation.
  let explained = -1;
  let unexplained = byEnd.length - 1;
  while (unexplained - explained > 1) {
    const middle = (explained + unexplained) >> 1;
    if (isExplained(until(history, byEnd[middle]!.end, 'included'))) explained = middle;
    else unexplained = middle;
  }
  return byEnd[unexplained]!;
}

/** A history as it was known at a moment: what had not returned may or may not have taken effect. */
function until(history: readonly Operation[], time: number, edge: 'included' | 'excluded'): Operation[] {
  const isOver = (moment: number) => moment < time || (edge === 'included' && moment === time);
  return history
    .filter(({ start }) => isOver(start))
    .map((call) => {
      const isKnown = isOver(call.end) || call.outcome.kind === 'none';
      return isKnown ? call : { ...call, outcome: { kind: 'unknown' } };
    });
}

/** The calls that may have taken effect while one was under way. */
function windowOf(
  history: readonly Operation[],
  culprit: Operation,
  settled: ReadonlySet<Operation>,
): Operation[] {
  const seen = new Set(history.filter(({ end }) => end <= culprit.end).flatMap(observed));
  return history
    .filter((call) => {
      if (call.start > culprit.end || call.outcome.kind === 'none' || settled.has(call)) return false;
      if (call.outcome.kind !== 'unknown' || call.end >= culprit.start) return call.end >= culprit.start;
      const items = added(call.call);
      return (
        items.length === 0 || items.some((item) => seen.has(item)) || culprit.outcome.kind === 'mismatch'
      );
    })
    .sort((one, other) => one.start - other.start);
}
