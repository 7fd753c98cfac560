import type { Unexplained } from './linearizability.ts';
import { added, type Call, type Operation, type Outcome, observed } from './operation.ts';

/** How much of a long list is shown. */
const NEWEST_SHOWN = 12;

/** How many of the lists that may have been are shown. */
const LISTS_SHOWN = 4;

/** How many of the items that do not fit are traced back, and over how many calls. */
const ITEMS_TRACED = 4;
const CALLS_TRACED = 8;

/** How many calls of a window are shown. */
const CALLS_SHOWN = 12;

/**
 * The part of a history that nothing explains: where the items come from that do not fit, what the list may have been,
 * then each call with its place in time.
 */
export function formatUnexplained(unexplained: Unexplained, history: readonly Operation[]): string {
  const { window, culprit, before } = unexplained;
  const shown = mostTelling(window, culprit);
  const times = [...new Set(shown.flatMap(({ start, end }) => [start, end]))];
  times.sort((one, other) => one - other);
  const texts = shown.map((operation) => `${operation.client}  ${formatOperation(operation)}`);
  const width = Math.max(...texts.map(({ length }) => length));
  const lines = shown.map((operation, at) => {
    const line = `  ${texts[at]!.padEnd(width)}  ${bar(operation, times)}`;
    return operation === culprit ? `${line.padEnd(width + times.length + 6)}<- no order explains this` : line;
  });
  if (shown.length < window.length) lines.push(`  and ${window.length - shown.length} others meanwhile`);
  const lists = before.slice(0, LISTS_SHOWN).map((items) => `  ${formatItems(items)}`);
  if (before.length > LISTS_SHOWN) lists.push(`  or one of ${before.length - LISTS_SHOWN} others`);
  const earlier = traced(culprit, before[0] ?? [], history).map(
    (operation) =>
      `  ${operation.client}  ${formatOperation(operation)}  (at ${operation.start}-${operation.end})`,
  );
  return [
    ...(earlier.length > 0 ? ['Earlier, with the items that do not fit', ...earlier] : []),
    `The list before (at ${culprit.start}) was`,
    ...lists,
    `Then (until ${culprit.end})`,
    ...lines,
  ].join('\n');
}

/** Of a long window what changed something, and of that the latest. */
function mostTelling(window: readonly Operation[], culprit: Operation): readonly Operation[] {
  if (window.length <= CALLS_SHOWN) return window;
  const changes = window.filter(({ call }) => call.kind !== 'read').slice(1 - CALLS_SHOWN);
  return window.filter((operation) => operation === culprit || changes.includes(operation));
}

/** One call and how it ended, on one line. */
export function formatOperation({ call, outcome }: Operation): string {
  return `${formatCall(call)} -> ${formatOutcome(outcome)}`;
}

function formatCall(call: Call): string {
  switch (call.kind) {
    case 'add':
      return `add(${call.items.join(' ')})`;
    case 'read':
      return `read(${call.limit ?? ''})`;
    case 'append':
      return `append(${call.items.join(' ')}) as ${call.operationId}`;
    case 'replace':
      return `replace(${call.expected.join(' ')} by ${call.replacement.join(' ')}) as ${call.operationId}`;
    default:
      return `${call.kind}()`;
  }
}

function formatOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'popped':
      return outcome.item ?? 'nothing';
    case 'read':
      return formatItems(outcome.items);
    case 'none':
      return outcome.code;
    default:
      return outcome.kind;
  }
}

function formatItems(items: readonly string[]): string {
  const cut = items.length > NEWEST_SHOWN ? `${items.length - NEWEST_SHOWN} more ` : '';
  return `[${cut}${items.slice(-NEWEST_SHOWN).join(' ')}]`;
}

/** From start to end, in as many columns as there are moments. An open end is one that has not come. */
function bar({ start, end, outcome }: Operation, times: readonly number[]): string {
  const from = times.indexOf(start);
  const isOpen = outcome.kind === 'unknown';
  const to = isOpen ? times.length : times.indexOf(end);
  return `${' '.repeat(from)}|${'-'.repeat(Math.max(0, to - from - 1))}${isOpen ? '>' : '|'}`;
}

/** The earlier calls that added, or were the last to see, what a call saw too much or too little. */
function traced(
  culprit: Operation,
  before: readonly string[],
  history: readonly Operation[],
): readonly Operation[] {
  const { call } = culprit;
  const seen = observed(culprit);
  const few = call.kind === 'read' ? call.limit : seen.length;
  const there = few === undefined ? before : before.slice(Math.max(0, before.length - few));
  const misfits = betweenWhatIsEqual(there, seen);
  const earlier = history.filter((operation) => operation.end < culprit.start);
  const found = misfits.slice(-ITEMS_TRACED).flatMap((item) => {
    const withItem = earlier.filter((operation) => mentions(operation, item));
    return withItem.filter(({ call }, at) => call.kind !== 'read' || at === withItem.length - 1);
  });
  return [...new Set(found)].sort((one, other) => one.start - other.start).slice(-CALLS_TRACED);
}

/** What is left of two lists without what both begin with and what both end with, of the second one last. */
function betweenWhatIsEqual(one: readonly string[], other: readonly string[]): string[] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return [...one.slice(start, one.length - end), ...other.slice(start, other.length - end)];
}

function mentions(operation: Operation, item: string): boolean {
  return added(operation.call).includes(item) || observed(operation).includes(item);
}
