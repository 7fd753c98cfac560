import type { Step } from './events.ts';
import { Foresight } from './foresight.ts';
import { EMPTY, type List, Lists } from './lists.ts';
import type { Operation } from './operation.ts';

/** Where a search stands: at an event, with a list, and with some of the pending calls having taken effect. */
interface Situation {
  readonly at: number;
  readonly state: State;
  /** The pending steps that took effect, and those of unknown outcome that ever did, by number. */
  readonly effective: readonly number[];
}

interface State {
  readonly list: List;
  /** The shared operation ids that are remembered, sorted. */
  readonly ids: readonly number[];
}

const SITUATIONS = 1_000_000;

/** What the list may be after a history, and which calls of unknown outcome took effect. */
interface Endings {
  readonly lists: readonly (readonly string[])[];
  /** Those that took effect in every one of the endings. */
  readonly surelyEffective: ReadonlySet<Operation>;
  /** Whether these are all. */
  readonly complete: boolean;
}

/** A search that met more situations than it may, so that nobody knows. */
export class NoVerdict extends Error {}

/**
 * Looks for the orders of a session's calls that explain all results.
 *
 * The search of Wing and Gong with Lowe's two improvements: a situation is never looked at twice, and a call takes
 * effect no earlier than the next end of a call requires. What changes nothing takes effect as soon as it can.
 */
export class Search {
  readonly #foresight: Foresight;
  readonly #lists = new Lists();
  readonly #situations: number;
  readonly #seen = new Set<string>();

  /** @param situations - how many different ones are looked at before the search gives up; a million by default */
  constructor(history: readonly Operation[], situations = SITUATIONS) {
    this.#foresight = new Foresight(history);
    this.#situations = situations;
  }

  /**
   * Whether there is such an order.
   *
   * @throws NoVerdict
   */
  explains(): boolean {
    return !this.#endings().next().done;
  }

  /** What may be at the end, up to so many different lists. */
  endings(most: number): Endings {
    const lists = new Set<List>();
    let effective: readonly number[] | undefined;
    let complete = true;
    try {
      for (const ending of this.#endings()) {
        complete = lists.size < most;
        if (!complete) break;
        lists.add(ending.state.list);
        effective = (effective ?? ending.effective).filter((number) => ending.effective.includes(number));
      }
    } catch (error) {
      if (!(error instanceof NoVerdict)) throw error;
      complete = false;
    }
    const { names, events } = this.#foresight;
    const steps = events.filter(({ kind, step }) => kind === 'start' && effective?.includes(step.number));
    return {
      lists: [...lists].map((list) => this.#lists.items(list).map((item) => names[item]!)),
      surelyEffective: new Set(steps.map(({ step }) => step.operation)),
      complete,
    };
  }

  *#endings(): Generator<Situation> {
    const { events } = this.#foresight;
    const open: Situation[] = [];
    this.#enter({ at: 0, state: { list: EMPTY, ids: [] }, effective: [] }, open);
    for (let here = open.pop(); here; here = open.pop()) {
      const event = events[here.at];
      if (!event) yield here;
      else if (event.kind === 'start') this.#enter({ ...here, at: here.at + 1 }, open);
      else if (here.effective.includes(event.step.number)) {
        const effective = here.effective.filter((number) => number !== event.step.number);
        this.#enter({ ...here, at: here.at + 1, effective }, open);
      } else {
        for (const next of this.#oneMoreEffect(here, event.step)) this.#enter(next, open);
      }
    }
  }

  #enter(found: Situation, open: Situation[]): void {
    const situation = this.#settle(found);
    const { at, state, effective } = situation;
    const key = `${at} ${state.list} ${effective} ${state.ids}`;
    if (this.#seen.has(key)) return;
    if (this.#seen.size >= this.#situations)
      throw new NoVerdict(`No verdict within ${this.#situations} situations: too many calls overlap.`);
    this.#seen.add(key);
    open.push(situation);
  }

  /** Lets those calls take effect that only look and that see here what they returned: to wait gains nothing. */
  #settle(situation: Situation): Situation {
    const { at, state, effective } = situation;
    const looks = (this.#foresight.pending[at] ?? []).filter(
      (step) => isLook(step) && !effective.includes(step.number) && this.#sees(step, state),
    );
    if (looks.length === 0) return situation;
    return { ...situation, effective: withSteps(effective, looks) };
  }

  /** The situations after one more pending call took effect, the required one last, so that it is tried first. */
  *#oneMoreEffect(here: Situation, required: Step): Generator<Situation> {
    const taken = new Set<string>();
    const candidates = this.#foresight.pending[here.at]!.filter((step) => {
      if (isLook(step) || step === required || here.effective.includes(step.number)) return false;
      if (step.interchangeable === undefined) return true;
      const isFirst = !taken.has(step.interchangeable);
      taken.add(step.interchangeable);
      return isFirst;
    });
    for (const step of isLook(required) ? candidates : [...candidates, required]) {
      const state = this.#effect(step, here);
      if (state) yield { ...here, state, effective: withSteps(here.effective, [step]) };
    }
  }

  /** Whether a call that changes nothing returned what is so in this state. */
  #sees({ operation, returned, expected, sharedId }: Step, { list, ids }: State): boolean {
    const { call } = operation;
    if (call.kind === 'pop') return list === EMPTY;
    if (call.kind === 'replace') {
      const isKnown = sharedId !== undefined && ids.includes(sharedId);
      return !isKnown && this.#lists.before(list, expected) === undefined;
    }
    const rest = this.#lists.before(list, returned);
    if (call.kind !== 'read' || rest === undefined) return false;
    return rest === EMPTY ? returned.length <= limitOf(call) : returned.length === limitOf(call);
  }

  /** The state after a call took effect here, unless it cannot, or it leads to nothing. */
  #effect(step: Step, here: Situation): State | undefined {
    const { operation, returned, expected, sharedId } = step;
    const { list, ids } = here.state;
    const isUnknown = operation.outcome.kind === 'unknown';
    switch (operation.call.kind) {
      case 'pop': {
        if (list === EMPTY || !(isUnknown || this.#lists.top(list) === returned[0])) return undefined;
        return this.#isRemovable(this.#lists.top(list), step, here)
          ? { list: this.#lists.rest(list), ids }
          : undefined;
      }
      case 'clear': {
        if (isUnknown && list === EMPTY && ids.length === 0) return undefined;
        const isRemovable = this.#lists.items(list).every((item) => this.#isRemovable(item, step, here));
        return isRemovable ? { list: EMPTY, ids: [] } : undefined;
      }
      default: {
        // Applied before, under the same id. For a call that may never take effect that is not worth a step.
        if (sharedId !== undefined && ids.includes(sharedId)) return isUnknown ? undefined : here.state;
        const kept = this.#lists.before(list, expected);
        if (kept === undefined || !this.#isAddable(step, kept, here)) return undefined;
        if (!expected.every((item) => this.#isRemovable(item, step, here))) return undefined;
        return {
          list: this.#lists.push(kept, step.adds),
          ids: sharedId === undefined ? ids : sorted([...ids, sharedId]),
        };
      }
    }
  }

  /** Whether nobody has yet to see an item. */
  #isRemovable(item: number, remover: Step, here: Situation): boolean {
    const observers = this.#foresight.observersOf(item);
    for (let index = observers.length - 1; index >= 0; index--) {
      const observer = observers[index]!;
      if (this.#foresight.endOf(observer) < here.at) return true;
      if (observer !== remover && !here.effective.includes(observer.number)) return false;
    }
    return true;
  }

  /** Whether what a step adds was seen above this list, if at all, and whether adding it can explain anything. */
  #isAddable(step: Step, list: List, here: Situation): boolean {
    // Above it nothing was seen; it can only be why a suffix did not match.
    if (step.unseen && here.at > this.#foresight.lastMismatch) return false;
    let below = this.#lists.top(list);
    for (const item of step.adds) {
      if ((this.#foresight.belowOf(item) ?? below) !== below) return false;
      below = item;
    }
    return true;
  }
}

/** Whether a call, given how it ended, changed nothing whenever it took effect. */
function isLook({ operation: { call, outcome } }: Step): boolean {
  if (call.kind === 'pop') return outcome.kind === 'popped' && outcome.item === undefined;
  return call.kind === 'read' || outcome.kind === 'mismatch';
}

function limitOf({ limit = Number.POSITIVE_INFINITY }: { readonly limit?: number | undefined }): number {
  return Math.max(0, limit);
}

function withSteps(effective: readonly number[], steps: readonly Step[]): number[] {
  return sorted([...effective, ...steps.map(({ number }) => number)]);
}

/** So that the same numbers are the same, however they came together. */
function sorted(numbers: number[]): number[] {
  return numbers.sort((one, other) => one - other);
}
