/** The time of a trial: it stands still until the trial moves it, so that every run of a scenario is the same. */
export class Clock {
  now = START;
  /** How long the clock that never goes back stood still. */
  stoodStill = 0;

  /** Puts it in the place of the platform's clocks. */
  install(): Disposable {
    const [date, monotonic] = [Date.now, performance.now];
    Date.now = () => this.now;
    performance.now = () => this.now - START - this.stoodStill;
    return {
      [Symbol.dispose]: () => {
        Date.now = date;
        performance.now = monotonic;
      },
    };
  }
}

const START = 1_800_000_000_000;
