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

/** Below the oldest item. */
export const NOTHING = -1;

/** Below an item that was seen above two others, as it cannot be. */
const CONTRADICTED = -2;

/**
 * What the whole history tells about each moment of it. A search that knows which items will be seen later, and above
 * which others, leaves a wrong path at its first step and not only when it meets the read that proves it wrong.
 */
export class Foresight {
  readonly events: readonly Event[];
  /** For each event, the steps that have started and not ended when it comes, in the order of their starts. */
  readonly pending: readonly (readonly Step[])[];
  readonly names: readonly string[];
  /** The event after which no suffix is refused any more. */
  readonly lastMismatch: number;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** For each item that is added once in the whole history, the step that adds it. */
  readonly #adders = new Map<number, Step>();
  /** For each item added once, the steps that saw it, by their ends. */
  readonly #observers = new Map<number, Step[]>();
  /** For each item added once that was seen with what stands below it: that item, or `NOTHING`. */
  readonly #below = new Map<number, number>();

  constructor(history: readonly Operation[]) {
    const numbers = new Map<string, number>();
    const steps = stepsOf(history.filter(hasEffectOrResult).sort(byStart), numbers);
    this.names = [...numbers.keys()];
    this.events = eventsOf(steps);
    this.pending = this.#pendingAt();
    this.lastMismatch = Math.max(
      -1,
      ...steps
        .filter(({ operation }) => operation.outcome.kind === 'mismatch')
        .map((step) => this.endOf(step)),
    );
    this.#learnWhoAdds(steps);
    this.#learnWhatIsSeen(steps);
  }

  /** The event at which a step ends; past all of them for one with an unknown outcome. */
  endOf({ number }: Step): number {
    return this.#ends[number] ?? Number.POSITIVE_INFINITY;
  }

  startOf({ number }: Step): number {
    return this.#starts[number]!;
  }

  /** The steps that saw an item, ordered by their ends. Empty for an item that was added more than once. */
  observersOf(item: number): readonly Step[] {
    return this.#observers.get(item) ?? [];
  }

  /**
   * What is right below an item as long as it is there, and so when it is added: an item, or `NOTHING`. Undefined where
   * nobody saw it, or where the item was added more than once.
   */
  belowOf(item: number): number | undefined {
    return this.#below.get(item);
  }

  #pendingAt(): Step[][] {
    let pending: Step[] = [];
    return this.events.map(({ kind, step }, at) => {
      const now = pending;
      if (kind === 'start') {
        this.#starts[step.number] = at;
        pending = [...pending, step];
      } else {
        this.#ends[step.number] = at;
        pending = pending.filter((other) => other !== step);
      }
      return now;
    });
  }

  #learnWhoAdds(steps: readonly Step[]): void {
    const again = new Set<number>();
    for (const step of steps) {
      for (const item of step.adds) {
        if (this.#adders.has(item)) again.add(item);
        this.#adders.set(item, step);
      }
    }
    for (const item of again) this.#adders.delete(item);
  }

  #learnWhatIsSeen(steps: readonly Step[]): void {
    const byEnd = steps.filter((step) => this.endOf(step) < Number.POSITIVE_INFINITY);
    byEnd.sort((one, other) => this.endOf(one) - this.endOf(other));
    for (const step of byEnd) {
      // A transaction that may have been applied by another with its id need not have seen anything itself.
      const seen = step.operation.call.kind === 'replace' ? this.#replaced(step) : step.returned;
      for (const [at, item] of seen.entries()) {
        if (!this.#adders.has(item)) continue;
        entry(this.#observers, item, () => []).push(step);
        const below = at > 0 ? seen[at - 1] : sawAll(step) ? NOTHING : undefined;
        if (below === undefined) continue;
        const known = this.#below.get(item) ?? below;
        this.#below.set(item, known === below ? below : CONTRADICTED);
      }
    }
  }

  #replaced({ operation, expected, sharedId }: Step): readonly number[] {
    return operation.outcome.kind === 'done' && sharedId === undefined ? expected : [];
  }
}

/** Whether a step is a read that returned the whole list. */
function sawAll({ operation: { call }, returned }: Step): boolean {
  return call.kind === 'read' && (call.limit === undefined || returned.length < call.limit);
}

function hasEffectOrResult({ call, outcome }: Operation): boolean {
  return outcome.kind !== 'none' && !(call.kind === 'read' && outcome.kind === 'unknown');
}

function byStart(one: Operation, other: Operation): number {
  return one.start - other.start;
}

function stepsOf(history: readonly Operation[], numbers: Map<string, number>): Step[] {
  const numberOf = (item: string) => entry(numbers, item, () => numbers.size);
  const sharing = [...Map.groupBy(history, idOf)].filter(
    ([id, those]) => id !== undefined && those.length > 1,
  );
  const sharedIds = new Map(sharing.map(([id], at) => [id, at]));
  const mentioned = new Set(
    history.flatMap((operation) =>
      operation.call.kind === 'replace' ? operation.call.expected : observed(operation),
    ),
  );
  return history.map((operation, at) => {
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
}

function idOf({ call }: Operation): string | undefined {
  return 'operationId' in call ? call.operationId : undefined;
}

function interchangeable({ call, outcome }: Operation, unseen: boolean): string | undefined {
  if (outcome.kind !== 'unknown') return undefined;
  if (unseen) return `add ${added(call).length}`;
  return call.kind === 'pop' || call.kind === 'clear' ? call.kind : undefined;
}

function eventsOf(steps: readonly Step[]): Event[] {
  const timed = steps.flatMap((step): (Event & { time: number })[] => {
    const start = { kind: 'start', step, time: step.operation.start } as const;
    if (step.operation.outcome.kind === 'unknown') return [start];
    return [start, { kind: 'end', step, time: step.operation.end }];
  });
  // Of an end and a start at the same time the start comes first: they may have been at once.
  timed.sort((one, other) => one.time - other.time || order(one) - order(other));
  return timed.map(({ kind, step }) => ({ kind, step }));
}

function order({ kind }: Event): number {
  return kind === 'start' ? 0 : 1;
}

function entry<TKey, TValue>(map: Map<TKey, TValue>, key: TKey, make: () => TValue): TValue {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
