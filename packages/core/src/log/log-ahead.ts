import type { Parts } from './log-event.ts';
import { keepRows } from './log-expiry.ts';
import { partErasures, partKey, partRow, splitIntoParts } from './log-parts.ts';
import type { LogRows } from './log-rows.ts';

/** The parts of a change, which are written before the event that names them. No event does as yet. */
export class PartsAhead {
  readonly parts: Parts;
  readonly removeAt: number | undefined;
  #written = 0;
  /** Whether those that were written were not there before. */
  #areNew = true;
  #areWhole = false;

  constructor(parts: Parts, removeAt: number | undefined) {
    this.parts = parts;
    this.removeAt = removeAt;
  }

  /**
   * Writes those that an earlier try did not. `false` if they have to be looked at again.
   *
   * @param records - what the parts hold
   * @param endsAt - when the session ends
   */
  async write(
    rows: LogRows,
    records: readonly string[],
    maxRowBytes: number,
    endsAt: number | undefined,
  ): Promise<boolean> {
    if (this.#areWhole) return true;
    const { parts, removeAt } = this;
    for (const part of splitIntoParts(records, maxRowBytes).slice(this.#written)) {
      if (!(await rows.put(partRow(parts, this.#written, part, removeAt)))) this.#areNew = false;
      this.#written++;
    }
    if (!this.#areNew && removeAt !== undefined) {
      const last = parts.counts.length - 1;
      const range = { first: partKey(parts, 0), last: partKey(parts, last), expected: last + 1 };
      if (!(await keepRows(rows, endsAt!, removeAt, range))) return false;
    }
    this.#areWhole = true;
    return true;
  }

  async erase(rows: LogRows): Promise<void> {
    await rows.erase(partErasures(this));
  }
}
