/** Two ways to do the same work, measured in turn in one run. */
export interface Comparison {
  readonly name: string;
  /** What ours is compared with. */
  readonly against: string;
  readonly ours: () => Promise<unknown>;
  readonly theirs: () => Promise<unknown>;
  /** The least rate of ours, as a multiple of theirs; left out where the row is there to be known. */
  readonly goal?: number | undefined;
}

/** What came out: medians over all pairs. */
export interface Outcome {
  readonly comparison: Comparison;
  /** Microseconds a call. */
  readonly ours: number;
  readonly theirs: number;
  /** Our rate as a multiple of theirs: the median of the pairs' ratios, and the middle half of them. */
  readonly ratio: number;
  readonly spread: readonly [low: number, high: number];
}

const PAIRS = 31;
const SLICE_MS = 40;

/** Measures in short slices, ours and theirs in turn, so that what else the machine does falls on both. */
export async function compare(comparison: Comparison): Promise<Outcome> {
  const { ours, theirs } = comparison;
  for (const work of [ours, theirs, ours, theirs]) await slice(work, SLICE_MS * 3);
  const pairs: { ours: number; theirs: number }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const oursFirst = pair % 2 === 0;
    const first = await slice(oursFirst ? ours : theirs, SLICE_MS);
    const second = await slice(oursFirst ? theirs : ours, SLICE_MS);
    pairs.push(oursFirst ? { ours: first, theirs: second } : { ours: second, theirs: first });
  }
  const ratios = sorted(pairs.map((pair) => pair.theirs / pair.ours));
  return {
    comparison,
    ours: median(pairs.map((pair) => pair.ours)),
    theirs: median(pairs.map((pair) => pair.theirs)),
    ratio: median(ratios),
    spread: [ratios[Math.floor(PAIRS / 4)]!, ratios[Math.ceil((PAIRS * 3) / 4) - 1]!],
  };
}

/** Microseconds that one call takes, over about so many milliseconds. */
async function slice(work: () => Promise<unknown>, ms: number): Promise<number> {
  const started = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < ms) {
    await work();
    calls++;
    elapsed = performance.now() - started;
  }
  return (elapsed * 1_000) / calls;
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b);
}

function median(values: readonly number[]): number {
  return sorted(values)[values.length >> 1]!;
}
