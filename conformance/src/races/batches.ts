import { ClauseBroken } from '../check.ts';
import { isEqual } from '../own-realm.ts';
import type { Outcome } from './operation.ts';
import { HUGE } from './race-item.ts';
import type { Racer } from './racer.ts';

/** Enough for some of the items in each to be large (see `itemOf`). */
const ITEMS = 30;

/** One batch in so many is of fewer items, all of them huge. */
const HUGE_EVERY = 8;
const HUGE_ITEMS = 4;

/** Items that were added in one call, and what the call said; nothing yet, if it is under way. */
interface Batch {
  readonly items: readonly string[];
  outcome: Outcome | undefined;
}

/** Batches that were added to one session, by one racer at a time. */
export class Batches {
  readonly #all: Batch[] = [];

  async add(racer: Racer): Promise<Outcome> {
    const number = this.#all.length;
    const [letter, length] = number % HUGE_EVERY === HUGE_EVERY - 1 ? [HUGE, HUGE_ITEMS] : ['b', ITEMS];
    const items = Array.from({ length }, (_, at) => `${letter}${number * ITEMS + at}`);
    const batch: Batch = { items, outcome: undefined };
    this.#all.push(batch);
    batch.outcome = await racer.perform({ kind: 'add', items: batch.items });
    return batch.outcome;
  }

  /**
   * Looks for whole batches only: all that were confirmed, in their order, and none that failed. One of which nobody
   * knows may be there too, but once.
   *
   * @throws ClauseBroken
   */
  async mustBeWhole(racer: Racer, what: string): Promise<void> {
    const confirmed = this.#all.filter((batch) => batch.outcome?.kind === 'done');
    const outcome = await racer.perform({ kind: 'read' });
    if (outcome.kind !== 'read') throw new ClauseBroken(`${what}: the session can be read`, 'items', outcome);
    const { items: found } = outcome;
    const missing = new Map(this.#all.map((batch, number) => [batch.items[0], { ...batch, number }]));
    let newest = -1;
    for (let at = 0; at < found.length; ) {
      const batch = missing.get(found[at]);
      const here = found.slice(at, at + (batch?.items.length ?? ITEMS));
      at += here.length;
      if (!batch || !isEqual(here, batch.items))
        throw new ClauseBroken(
          `${what}: each batch is whole, and there once`,
          batch?.items ?? 'a new one',
          here,
        );
      if (batch.outcome?.kind === 'none')
        throw new ClauseBroken(`${what}: what failed is absent`, 'nothing of it', here);
      if (batch.outcome?.kind === 'done') {
        if (batch.number < newest)
          throw new ClauseBroken(`${what}: what was confirmed is in order`, `before batch ${newest}`, here);
        newest = batch.number;
      }
      missing.delete(here[0]);
    }
    for (const { items } of confirmed) {
      if (missing.has(items[0]))
        throw new ClauseBroken(`${what}: what was confirmed is there`, items, 'nothing of it');
    }
  }
}
