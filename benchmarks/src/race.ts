/** One of those whose work is measured in turn. */
export interface Runner {
  readonly name: string;
  /** Called once, before anything is measured. */
  start(): Promise<Lane>;
}

/** A runner that is ready. */
export interface Lane {
  /** Before each call; not measured. */
  ready?(): Promise<void>;
  call(): Promise<unknown>;
}

/** What came out for one runner. */
export interface Result {
  readonly name: string;
  /** Microseconds a call, the median of all rounds. */
  readonly micros: number;
  /** The first runner's rate as a multiple of this one's: the median of the rounds' ratios, and the middle half of them. */
  readonly ratio: number;
  readonly spread: readonly [low: number, high: number];
}

/** A runner that cannot do the work, and why. */
export interface Failure {
  readonly name: string;
  readonly failure: string;
}

const ROUNDS = 15;
const SLICE_MS = 40;

/** How long one runner may take in all; the rounds after that go on without it. */
const LONGEST_MS = 1_200;

/** Measures in short slices, each runner in turn, so that what else the machine does falls on all of them. */
export async function race(runners: readonly Runner[]): Promise<(Result | Failure)[]> {
  const tracks = runners.map((runner) => new Track(runner));
  for (const track of tracks) await track.warmUp();
  for (let round = 0; round < ROUNDS; round++) {
    // Who was first is last in the next round.
    const first = round % tracks.length;
    for (const track of [...tracks.slice(first), ...tracks.slice(0, first)]) await track.run(round);
  }
  return tracks.map((track) => track.against(tracks[0]!));
}

/** A runner, and what was measured of it. */
class Track {
  readonly #runner: Runner;
  #lane: Lane | undefined;
  #failure: string | undefined;
  /** Microseconds a call, by round. */
  readonly #rounds = new Map<number, number>();
  #spent = 0;

  constructor(runner: Runner) {
    this.#runner = runner;
  }

  async warmUp(): Promise<void> {
    await this.#attempt(async () => {
      this.#lane = await this.#runner.start();
    });
    this.#spent = 0;
    const first = await this.run(0);
    const second = first !== undefined && this.#spent < LONGEST_MS ? await this.run(0) : undefined;
    // Of what takes longer than it may, this is all that there will be.
    if (second === undefined) return;
    this.#rounds.clear();
    this.#spent = 0;
  }

  /** Measures one slice, unless the runner has failed or had its time. */
  async run(round: number): Promise<number | undefined> {
    const lane = this.#lane;
    if (lane === undefined || this.#spent > LONGEST_MS) return undefined;
    await this.#attempt(async () => {
      this.#rounds.set(round, await slice(lane));
    });
    return this.#rounds.get(round);
  }

  against(ours: Track): Result | Failure {
    const { name } = this.#runner;
    if (this.#failure !== undefined) return { name, failure: this.#failure };
    const times = sorted(Array.from(this.#rounds.values()));
    const ratios = sorted(
      Array.from(this.#rounds).flatMap(([round, micros]) => {
        const beside = ours.#rounds.get(round);
        return beside === undefined ? [] : [micros / beside];
      }),
    );
    const at = (part: number) => ratios[Math.floor(ratios.length * part)] ?? Number.NaN;
    return {
      name,
      micros: times[times.length >> 1]!,
      ratio: at(0.5),
      spread: [at(0.25), at(0.75)],
    };
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    const started = performance.now();
    try {
      await work();
    } catch (error) {
      this.#failure = (error as Error).message;
      this.#lane = undefined;
    }
    this.#spent += performance.now() - started;
  }
}

/** Microseconds that one call takes, over about so many milliseconds of calls. */
async function slice({ ready, call }: Lane): Promise<number> {
  let calls = 0;
  let elapsed = 0;
  const started = performance.now();
  // What makes ready may take much longer than what is measured.
  while (elapsed < SLICE_MS && (calls === 0 || performance.now() - started < SLICE_MS * 5)) {
    await ready?.();
    const before = performance.now();
    await call();
    elapsed += performance.now() - before;
    calls++;
  }
  return (elapsed * 1_000) / calls;
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}
