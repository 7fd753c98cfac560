import { type Event, eventsOf, numbered, type Step } from './events.ts';
import type { Operation } from './operation.ts';

/** Below the oldest item. */
const NOTHING = -1;

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
    const { steps, names } = numbered(history);
    this.names = names;
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
        const observers = this.#observers.get(item) ?? [];
        observers.push(step);
        this.#observers.set(item, observers);
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
