import { ClauseBroken } from '../check.ts';
import { checkLinearizability } from './linearizability.ts';
import type { Operation, TransactionCall } from './operation.ts';
import type { Racer } from './racer.ts';
import { Random } from './random.ts';
import { formatOperation, formatUnexplained } from './timeline.ts';
import { Workload } from './workload.ts';

export interface Race {
  readonly racers: readonly Racer[];
  /** How many calls they make together, each as many as the others. */
  readonly operations: number;
  readonly seed: number;
  /** Whether the store has transactions. */
  readonly transactions: boolean;
  /** Done before each call, and not waited for. */
  readonly beforeCall?: (() => void) | undefined;
  /** Says of a racer whether its calls must all succeed. They must by default. */
  readonly isCalm?: ((racer: Racer) => boolean) | undefined;
  /** Whether a racer goes on. */
  readonly isIn?: ((racer: Racer) => boolean) | undefined;
  /** For a racer that is to wait for others: the longest pause between two calls, in milliseconds. */
  readonly pauseMs?: ((racer: Racer) => number) | undefined;
}

/** The longest pause between two calls of a racer, in turns of the event loop. */
const LONGEST_PAUSE = 3;

/**
 * Lets racers loose on one session and writes down what they saw.
 *
 * Time is a count of what this process did: each call and each answer is the next number. Nothing else could be
 * compared across processes without trusting clocks. A call that another process makes begins here before it begins
 * there, and ends here after it ended there. Intervals get longer that way, never shorter: what is found to have no
 * explanation has none.
 */
export async function runRace(race: Race): Promise<Operation[]> {
  const { racers, operations, seed, transactions, isIn = () => true } = race;
  const history: Operation[] = [];
  const shared: TransactionCall[] | undefined = transactions ? [] : undefined;
  let now = 0;

  const make = async (racer: Racer, call: Operation['call']) => {
    race.beforeCall?.();
    const start = ++now;
    const outcome = await racer.perform(call);
    const operation = { client: racer.name, call, outcome, start, end: ++now };
    history.push(operation);
    if (race.isCalm?.(racer) ?? true) mustSucceed(operation);
    return outcome;
  };
  const run = async (racer: Racer, at: number) => {
    const random = new Random(seed * 1_000 + at);
    const workload = new Workload(racer.name, random, shared);
    for (let made = at; made < operations && isIn(racer); made += racers.length) {
      const outcome = await make(racer, workload.next());
      if (outcome.kind === 'read') workload.saw(outcome.items);
      for (let turns = random.below(LONGEST_PAUSE + 1); turns > 0; turns--) await nextTurn();
      const longest = race.pauseMs?.(racer) ?? 0;
      if (longest > 0) await new Promise((resume) => setTimeout(resume, random.below(longest)));
    }
  };
  const runs = await Promise.allSettled(racers.map(run));
  for (const ended of runs) if (ended.status === 'rejected') throw ended.reason;
  return history;
}

/** One last read, after which nothing is under way. */
export async function readLast(history: readonly Operation[], racer: Racer): Promise<Operation[]> {
  const call = { kind: 'read' } as const;
  const now = Math.max(0, ...history.map(({ end }) => end));
  const last = { client: racer.name, call, outcome: await racer.perform(call), start: now + 1, end: now + 2 };
  mustSucceed(last);
  return [...history, last];
}

/** @throws ClauseBroken */
export function mustBeExplained(history: readonly Operation[]): void {
  const verdict = checkLinearizability(history);
  if (verdict.ok) return;
  throw new ClauseBroken(
    'No one order explains what these calls returned',
    'one order, which agrees with real time',
    formatUnexplained(verdict, history),
  );
}

function mustSucceed(operation: Operation): void {
  const { outcome } = operation;
  if (outcome.kind === 'unknown' || (outcome.kind === 'none' && outcome.code !== 'CONFLICT'))
    throw new ClauseBroken(
      'A call failed on a store that was well',
      'an answer',
      `${operation.client}  ${formatOperation(operation)}`,
    );
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
