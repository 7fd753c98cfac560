/** A list, by its number. Two lists of the same items have the same number. */
export type List = number;

export const EMPTY: List = 0;

/** Lists of numbered items that share their beginnings, so that comparing two is comparing two numbers. */
export class Lists {
  readonly #tops: number[] = [-1];
  readonly #rests: List[] = [EMPTY];
  readonly #longer: Map<number, List>[] = [new Map()];

  /** The newest item, or -1 for a list that is empty. */
  top(list: List): number {
    return this.#tops[list]!;
  }

  /** All but the newest item. */
  rest(list: List): List {
    return this.#rests[list]!;
  }

  push(list: List, items: readonly number[]): List {
    for (const item of items) {
      const longer = this.#longer[list]!;
      let next = longer.get(item);
      if (next === undefined) {
        next = this.#tops.push(item) - 1;
        this.#rests.push(list);
        this.#longer.push(new Map());
        longer.set(item, next);
      }
      list = next;
    }
    return list;
  }

  /** What stands before these items at the end of a list, if it ends with them. */
  before(list: List, items: readonly number[]): List | undefined {
    for (let at = items.length - 1; at >= 0; at--) {
      if (this.top(list) !== items[at]) return undefined;
      list = this.rest(list);
    }
    return list;
  }

  /** Oldest first. */
  items(list: List): number[] {
    const items: number[] = [];
    for (; list !== EMPTY; list = this.rest(list)) items.push(this.top(list));
    return items.reverse();
  }
}
