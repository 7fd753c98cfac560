/** Lets pieces of work run one after another, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs when all that came before is over, however that ended. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
