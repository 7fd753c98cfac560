import type { LogEvent, Parts } from './log-event.ts';
import { keepRows } from './log-expiry.ts';
import { partErasures, partKey, partRow, splitIntoParts } from './log-parts.ts';
import type { LogRows } from './log-rows.ts';

/** Parts under one name, of which some may be written. */
interface Copy {
  readonly parts: Parts;
  readonly removeAt: number | undefined;
  written: number;
  /** Whether those that were written were not there before. */
  areNew: boolean;
  areWhole: boolean;
  /** An erasure may take effect late, so what it erases is never written again. */
  isGoing: boolean;
}

/**
 * The parts of a change, which are written before the event that names them. There may be several copies: for a life that is
 * over by now, or begun to be erased.
 */
export class PartsAhead {
  readonly #id: string;
  #copies: Copy[] = [];
  #names = 0;

  /** @param id - the change's */
  constructor(id: string) {
    this.#id = id;
  }

  get areNone(): boolean {
    return this.#copies.length === 0;
  }

  /** What parts are called that an event of a life is to name: as those that are there, if they can be gone on with. */
  nameFor(life: number): string {
    const copy = this.#copies.find(({ parts, isGoing }) => parts.life === life && !isGoing);
    return copy?.parts.name ?? (this.#names === 0 ? this.#id : `${this.#id}-${this.#names}`);
  }

  /**
   * Writes the parts that an event names, but for those that an earlier try wrote. `false` if they have to be looked at again.
   *
   * @param records - what the parts hold
   */
  async write(
    rows: LogRows,
    { parts, keptUntil, endsAt }: LogEvent,
    records: readonly string[],
    maxRowBytes: number,
  ): Promise<boolean> {
    if (!parts) return true;
    const copy = this.#copyOf(parts, keptUntil);
    if (copy.areWhole) return true;
    for (const part of splitIntoParts(records, maxRowBytes).slice(copy.written)) {
      if (!(await rows.put(partRow(parts, copy.written, part, keptUntil)))) copy.areNew = false;
      copy.written++;
    }
    if (!copy.areNew && keptUntil !== undefined) {
      const last = parts.counts.length - 1;
      const range = { first: partKey(parts, 0), last: partKey(parts, last), expected: last + 1 };
      if (!(await keepRows(rows, endsAt!, keptUntil, range))) return false;
    }
    copy.areWhole = true;
    return true;
  }

  /** Erases all that was written, except for what an event names. */
  async eraseAllBut(named: Parts | undefined, rows: LogRows): Promise<void> {
    for (const copy of this.#copies) {
      if (copy.parts.name === named?.name) continue;
      copy.isGoing = true;
      await rows.erase(partErasures(copy));
      this.#copies = this.#copies.filter((other) => other !== copy);
    }
  }

  /** The copy under a name; begun anew, if it is to last for another time than it was written for. */
  #copyOf(parts: Parts, removeAt: number | undefined): Copy {
    const found = this.#copies.find((copy) => copy.parts.name === parts.name);
    if (found && found.removeAt === removeAt) return found;
    const copy: Copy = { parts, removeAt, written: 0, areNew: true, areWhole: false, isGoing: false };
    this.#copies = [...this.#copies.filter((other) => other !== found), copy];
    if (!found) this.#names++;
    return copy;
  }
}
