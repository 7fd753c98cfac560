import { type Failure, type Result, type Runner, race } from './race.ts';

/** What ours has to be, as a multiple of the rates of others. */
export interface Goal {
  /** As the table calls them. */
  readonly against: string;
  readonly names: readonly string[];
  readonly least: number;
}

/** What was measured of one work, ours first. */
export interface Row {
  readonly work: string;
  readonly results: readonly (Result | Failure)[];
  readonly verdicts: readonly Verdict[];
}

/** A goal, and what came out against the fastest of those it names. */
export interface Verdict extends Goal {
  readonly ratio: number;
  readonly met: boolean;
}

/** Measures a work, and judges it. */
export async function measure(
  work: string,
  runners: readonly Runner[],
  goals: readonly Goal[],
): Promise<Row> {
  const results = await race(runners);
  const oursFailed = 'failure' in results[0]!;
  const verdicts = goals.map((goal): Verdict => {
    const ratios = results.flatMap((result) =>
      'ratio' in result && goal.names.includes(result.name) ? [result.ratio] : [],
    );
    // Those that cannot do the work are beaten at it.
    const ratio = oursFailed ? 0 : Math.min(...ratios);
    return { ...goal, ratio, met: ratio >= goal.least };
  });
  return { work, results, verdicts };
}
