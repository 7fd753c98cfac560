import { inspect } from 'node:util';
import type { Bench } from '../bench.ts';
import { type ConformanceCase, type Need, promise } from '../case.ts';
import { codeOf } from '../case-code.ts';
import { ClauseBroken, holds } from '../check.ts';
import type { Clause } from '../clauses.ts';
import { killWriters } from './killed-writers.ts';
import { readWhileWritten } from './large-batches.ts';
import { ODD_CLOCKS, withClock } from './odd-clock.ts';
import type { ProcessOpening } from './process-opening.ts';
import { mustBeExplained, readLast, runRace } from './race.ts';
import { RaceProcess } from './race-process.ts';
import { type Racer, sessionRacer } from './racer.ts';
import { Random } from './random.ts';
import { NoVerdict } from './search.ts';
import { Storm } from './storm.ts';

export interface RaceOptions {
  /** How many races each case runs, each on a session of its own; by default the more, the faster they are. */
  readonly rounds?: number | undefined;
  /** How many calls are made in each. 300 by default, 500 in a soak. */
  readonly operations?: number | undefined;
  /** The first race's; the next ones count on from it. The same seed makes the same calls, not the same timing. */
  readonly seed?: number | undefined;
  /** Many more and longer races, and more time for them. */
  readonly soak?: boolean | undefined;
}

/** What a call has in a storm, in milliseconds, on a store that is not slow. */
const STORM_TIMEOUT_MS = 300;

/** How many times as long as in calm weather a call may take in a storm: what ends early for no fault entangles the race. */
const STORM_PATIENCE = 5;

/** A long fault lasts so many times as long as a call has, so that calls end in the middle of one. */
const LONG_FAULT = 5 / 3;

/** The longest pause of the clients past the proxy, of a call's time, so that they last as long as those that wait for it. */
const DIRECT_PAUSE = 1 / 5;

/** How long a storm is at most, in milliseconds: on a store whose calls take seconds, fewer of them are made in one. */
const STORM_MS = 30_000;

/** How many calls are made in calm weather, to see how long they take. */
const CALM_CALLS = 24;

/** A slow store has fewer races, but not fewer than this: none begins after so long, in milliseconds. */
const FEWEST_ROUNDS = 2;
const ROUNDS_MS = 25_000;

/** How many races are run in the place of one that is too entangled to tell, and how far away their seeds are. */
const OTHERS = 3;
const OTHER_SEEDS = 1_000_000;

/** How many processes are killed over one session, and over how many sessions: 50 in all. */
const KILLS_A_ROUND = 10;
const KILLING_ROUNDS = 5;

/** A soak has so many times as many races. */
const SOAK_ROUNDS = 20;
const SOAK_TIMEOUT_MS = 1_200_000;

/** The cases in which what many clients saw of one session has to have one explanation. */
export function raceCases(options: RaceOptions = {}): ConformanceCase[] {
  return [
    raceCase(
      'ORD-1',
      'what six clients see of each other has one order',
      { ...options, byDefault: 24 },
      raceOfClients,
    ),
    raceCase(
      'ORD-1',
      'what clients in two processes see of each other has one order',
      { ...options, byDefault: 6 },
      raceOfProcesses,
      'processes',
    ),
    raceCase(
      'ADD-3',
      'another process never sees part of a large batch',
      { ...options, byDefault: 1 },
      (bench) => readWhileWritten(bench, openingOf(bench)),
      'processes',
    ),
    raceCase(
      'ORD-3',
      'what clients in processes whose clocks stand, differ and run backwards see of each other has one order',
      { ...options, byDefault: 2 },
      raceOfOddClocks,
      'processes',
    ),
    raceCase(
      'FLT-3',
      'of the calls of a process that is killed each took effect once or not at all',
      { ...options, byDefault: 6 },
      raceWithKilling,
      'processes',
    ),
    raceCase(
      'FLT-3',
      'a process that is killed in the midst of its writes leaves whole batches to the next one',
      { ...options, byDefault: KILLING_ROUNDS },
      (bench, { seed }) => killWriters(bench, openingOf(bench), new Random(seed), KILLS_A_ROUND),
      'processes',
    ),
    raceCase(
      'FLT-1',
      'in a storm of faults each call takes effect once, or not at all if it failed',
      { ...options, byDefault: 3 },
      raceInStorm,
      'wire',
    ),
  ];
}

function raceCase(
  clause: Clause,
  title: string,
  options: RaceOptions & { readonly byDefault: number },
  race: (bench: Bench, round: Round) => Promise<void>,
  ...needs: Need[]
): ConformanceCase {
  const { soak = false, seed = 1, operations = soak ? 500 : 300 } = options;
  const { rounds = options.byDefault * (soak ? SOAK_ROUNDS : 1) } = options;
  const runWith = async (bench: Bench, round: Round) => {
    try {
      await race(bench, round);
    } catch (error) {
      if (error instanceof ClauseBroken) {
        const replay = { rounds: 1, ...round };
        error.generated = { seed: round.seed, code: `raceCases(${inspect(replay)})` };
      }
      throw error;
    }
  };
  const runUntilTold = async (bench: Bench, round: Round) => {
    for (let other = 0; ; other++) {
      try {
        return await runWith(bench, { ...round, seed: round.seed + other * OTHER_SEEDS });
      } catch (error) {
        // One race in thousands is too entangled to tell, more of them on a slow store. Another one says as much.
        if (!(error instanceof NoVerdict) || other === OTHERS) throw error;
      }
    }
  };
  const run = async (bench: Bench) => {
    const started = performance.now();
    for (let at = 0; at < rounds; at++) {
      if (!soak && at >= FEWEST_ROUNDS && performance.now() - started > ROUNDS_MS) break;
      await runUntilTold(bench, { operations, seed: seed + at });
    }
  };
  return {
    ...promise(clause, title, run, ...needs),
    steps: codeOf(race),
    ...(soak && { timeoutMs: SOAK_TIMEOUT_MS }),
    // With calls of somebody's own number, the seed means nothing to the command line.
    ...(options.operations === undefined && { seed, soak }),
  };
}

interface Round {
  readonly operations: number;
  readonly seed: number;
}

async function raceOfClients(bench: Bench, round: Round): Promise<void> {
  const sessionId = bench.freshId();
  const racers: Racer[] = [];
  for (const name of 'abcdef') {
    racers.push(sessionRacer(name, bench.sessionOn(await bench.connect(), { sessionId })));
  }
  const history = await runRace({ ...round, racers, transactions: hasTransactions(bench) });
  mustBeExplained(await readLast(history, racers[0]!));
}

async function raceOfProcesses(bench: Bench, round: Round): Promise<void> {
  const opening = openingOf(bench);
  await raceOfStarts(
    bench,
    ['abc', 'def'].map((names) => ({ opening, names })),
    round,
  );
}

async function raceOfOddClocks(bench: Bench, round: Round): Promise<void> {
  const opening = openingOf(bench);
  const names = ['ab', 'cd', 'ef'];
  const starts = ODD_CLOCKS.map((clock, at) => ({ opening: withClock(opening, clock), names: names[at]! }));
  await raceOfStarts(bench, starts, round);
}

async function raceOfStarts(bench: Bench, starts: readonly Start[], round: Round): Promise<void> {
  await withProcesses(starts, bench.freshId(), async (processes) => {
    const racers = processes.flatMap((one) => one.racers);
    const history = await runRace({ ...round, racers, transactions: hasTransactions(bench) });
    mustBeExplained(await readLast(history, racers[0]!));
  });
}

async function raceWithKilling(bench: Bench, round: Round): Promise<void> {
  const opening = openingOf(bench);
  const starts = ['abc', 'def', 'g'].map((names) => ({ opening, names }));
  await withProcesses(starts, bench.freshId(), async ([survivor, victim, heir]) => {
    const lastCall = new Random(round.seed).below(round.operations >> 1);
    let calls = 0;
    const history = await runRace({
      ...round,
      racers: [...survivor!.racers, ...victim!.racers],
      transactions: hasTransactions(bench),
      // Not before the calls that are to be made now have been sent.
      beforeCall: () => void (calls++ === lastCall && setImmediate(() => victim!.kill())),
      isCalm: (racer) => !victim!.racers.includes(racer),
      isIn: (racer) => !(victim!.isKilled && victim!.racers.includes(racer)),
    });
    mustBeExplained(await readLast(history, heir!.racers[0]!));
  });
}

async function raceInStorm(bench: Bench, round: Round): Promise<void> {
  const sessionId = bench.freshId();
  const timeoutMs = Math.max(STORM_TIMEOUT_MS, STORM_PATIENCE * (await longestCall(bench, round)));
  const proxy = await bench.proxy();
  const direct: Racer[] = [];
  for (const name of 'ab') {
    direct.push(sessionRacer(name, bench.sessionOn(await bench.connect(), { sessionId })));
  }
  const racers = [...direct];
  for (const name of 'cdef') {
    const connection = await bench.connect(proxy.address);
    racers.push(sessionRacer(name, bench.sessionOn(connection, { sessionId, timeoutMs })));
  }
  const storm = new Storm(proxy, new Random(round.seed), timeoutMs * LONG_FAULT);
  const lull = performance.now() + STORM_MS;
  const history = await runRace({
    ...round,
    racers,
    transactions: hasTransactions(bench),
    beforeCall: () => storm.blow(),
    isCalm: (racer) => direct.includes(racer),
    isIn: () => performance.now() < lull,
    // Those past the proxy see how things are all the while that the others wait for what is broken.
    pauseMs: (racer) => (direct.includes(racer) ? timeoutMs * DIRECT_PAUSE : 0),
  });
  storm.end();
  holds(storm.count > 0, 'Something passed the proxy that could be broken', storm.count);
  mustBeExplained(await readLast(history, direct[0]!));
}

/** How long the slowest call of six clients takes, in milliseconds, while nothing is broken. */
async function longestCall(bench: Bench, { seed }: Round): Promise<number> {
  const sessionId = bench.freshId();
  let longest = 0;
  const racers: Racer[] = [];
  for (const name of 'abcdef') {
    const racer = sessionRacer(name, bench.sessionOn(await bench.connect(), { sessionId }));
    racers.push({
      name,
      async perform(call) {
        const started = performance.now();
        const outcome = await racer.perform(call);
        longest = Math.max(longest, performance.now() - started);
        return outcome;
      },
    });
  }
  await runRace({ operations: CALM_CALLS, seed, racers, transactions: hasTransactions(bench) });
  return longest;
}

function hasTransactions({ adapter }: Bench): boolean {
  return adapter.capabilities.transactions === true;
}

function openingOf({ adapter: { processes } }: Bench): ProcessOpening {
  if ('unsupported' in processes) throw new Error('A case that needs other processes ran without them.');
  return processes;
}

/** A process to be started. */
interface Start {
  readonly opening: ProcessOpening;
  /** A letter for each racer in it. */
  readonly names: string;
}

/** Starts processes, and ends them all whatever happens. */
async function withProcesses(
  starts: readonly Start[],
  sessionId: string,
  race: (processes: readonly RaceProcess[]) => Promise<void>,
): Promise<void> {
  const processes: RaceProcess[] = [];
  try {
    for (const { opening, names } of starts)
      processes.push(await RaceProcess.start(opening, sessionId, [...names]));
    await race(processes);
  } finally {
    await Promise.all(processes.map((one) => one.end()));
  }
}
