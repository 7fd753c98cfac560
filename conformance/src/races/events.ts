import { added, type Operation, observed } from './operation.ts';

/** An operation with its items as numbers, and its place among the others. */
export interface Step {
  readonly operation: Operation;
  /** In the order of the starts. */
  readonly number: number;
  readonly adds: readonly number[];
  /** What it returned: of a read all items, of a pop one or none. */
  readonly returned: readonly number[];
  /** What a `replace` wants at the end. */
  readonly expected: readonly number[];
  /** Its id, as a number, if other operations have the same. One that is alone need not be remembered. */
  readonly sharedId: number | undefined;
  /** Unknown operations of the same effect can stand for one another: the first that is free may be taken. */
  readonly interchangeable: string | undefined;
  /** Unknown, and none of its items was ever seen by anybody. */
  readonly unseen: boolean;
}

/** One start or end. An operation with an unknown outcome has no end. */
export interface Event {
  readonly kind: 'start' | 'end';
  readonly step: Step;
}

/** What of a history had an effect or a result, in the order of the starts, and the items that the numbers stand for. */
export function numbered(history: readonly Operation[]): { steps: Step[]; names: string[] } {
  const operations = history.filter(hasEffectOrResult).sort(byStart);
  const numbers = new Map<string, number>();
  const numberOf = (item: string): number => {
    if (!numbers.has(item)) numbers.set(item, numbers.size);
    return numbers.get(item)!;
  };
  const sharing = [...Map.groupBy(operations, idOf)].filter(
    ([id, those]) => id !== undefined && those.length > 1,
  );
  const sharedIds = new Map(sharing.map(([id], at) => [id, at]));
  const mentioned = new Set(
    operations.flatMap((operation) =>
      operation.call.kind === 'replace' ? operation.call.expected : observed(operation),
    ),
  );
  const steps = operations.map((operation, at) => {
    const { call, outcome } = operation;
    const sharedId = sharedIds.get(idOf(operation));
    const items = added(call);
    const adds = call.kind === 'add' || call.kind === 'append';
    const unseen =
      outcome.kind === 'unknown' &&
      adds &&
      sharedId === undefined &&
      !items.some((item) => mentioned.has(item));
    return {
      operation,
      number: at,
      adds: items.map(numberOf),
      returned: call.kind === 'replace' ? [] : observed(operation).map(numberOf),
      expected: call.kind === 'replace' ? call.expected.map(numberOf) : [],
      sharedId,
      interchangeable: interchangeable(operation, unseen),
      unseen,
    };
  });
  return { steps, names: [...numbers.keys()] };
}

/** The starts and ends of steps, in the order of time. */
export function eventsOf(steps: readonly Step[]): Event[] {
  const timed = steps.flatMap((step): (Event & { time: number })[] => {
    const start = { kind: 'start', step, time: step.operation.start } as const;
    if (step.operation.outcome.kind === 'unknown') return [start];
    return [start, { kind: 'end', step, time: step.operation.end }];
  });
  // Of an end and a start at the same time the start comes first: they may have been at once.
  timed.sort((one, other) => one.time - other.time || order(one) - order(other));
  return timed.map(({ kind, step }) => ({ kind, step }));
}

function hasEffectOrResult({ call, outcome }: Operation): boolean {
  return outcome.kind !== 'none' && !(call.kind === 'read' && outcome.kind === 'unknown');
}

function byStart(one: Operation, other: Operation): number {
  return one.start - other.start;
}

function idOf({ call }: Operation): string | undefined {
  return 'operationId' in call ? call.operationId : undefined;
}

function interchangeable({ call, outcome }: Operation, unseen: boolean): string | undefined {
  if (outcome.kind !== 'unknown') return undefined;
  if (unseen) return `add ${added(call).length}`;
  return call.kind === 'pop' || call.kind === 'clear' ? call.kind : undefined;
}

function order({ kind }: Event): number {
  return kind === 'start' ? 0 : 1;
}
