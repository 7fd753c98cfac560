/** The time of a trial: it stands still until the trial moves it, so that every run of a scenario is the same. */
export class Clock {
  now = START;
  /** How long the clock that never goes back stood still. */
  stoodStill = 0;

  /**
   * Puts it in the place of the platform's clocks.
   *
   * @param off - how far the clock that may be set is off, of who asks, in milliseconds
   */
  install(off: () => number = () => 0): Disposable {
    const [date, monotonic, random] = [Date.now, performance.now, Math.random];
    Date.now = () => this.now + off();
    performance.now = () => this.now - START - this.stoodStill;
    // Whoever makes way to others by chance does not.
    Math.random = () => 0;
    return {
      [Symbol.dispose]: () => {
        Date.now = date;
        performance.now = monotonic;
        Math.random = random;
      },
    };
  }
}

const START = 1_800_000_000_000;
