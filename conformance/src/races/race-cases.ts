import type { Bench } from '../bench.ts';
import { type ConformanceCase, promise } from '../case.ts';
import { holds } from '../check.ts';
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
  /** How many calls are made in each. */
  readonly operations?: number | undefined;
  /** The first race's; the next ones count on from it. The same seed makes the same calls, not the same timing. */
  readonly seed?: number | undefined;
}

/** Less than a long fault lasts, so that calls end in the middle of one. */
const STORM_TIMEOUT_MS = 300;
const LONG_FAULT_MS = 500;

/** The longest pause of the clients past the proxy, so that they last as long as those that wait for it. */
const DIRECT_PAUSE_MS = 60;

/** How far away the seeds are of races that are run in the place of others. */
const OTHER_SEEDS = 1_000_000;

/** The cases in which what many clients saw of one session has to have one explanation. */
export function raceCases({ rounds, operations = 300, seed = 1 }: RaceOptions = {}): ConformanceCase[] {
  const eachRound = async (byDefault: number, run: (round: Round) => Promise<void>) => {
    const runWith = (seed: number) =>
      run({ operations, seed, replay: `raceCases({ rounds: 1, operations: ${operations}, seed: ${seed} })` });
    for (let at = 0; at < (rounds ?? byDefault); at++) {
      try {
        await runWith(seed + at);
      } catch (error) {
        if (!(error instanceof NoVerdict)) throw error;
        // One race in thousands is too entangled to tell. Another one says as much.
        await runWith(seed + at + OTHER_SEEDS);
      }
    }
  };
  return [
    promise('ORD-1', 'what six clients see of each other has one order', (bench) =>
      eachRound(24, (round) => raceOfClients(bench, round)),
    ),
    promise(
      'ORD-1',
      'what clients in two processes see of each other has one order',
      (bench) => eachRound(6, (round) => raceOfProcesses(bench, openingOf(bench), round)),
      'processes',
    ),
    promise(
      'FLT-3',
      'of the calls of a process that is killed each took effect once or not at all',
      (bench) => eachRound(6, (round) => raceWithKilling(bench, openingOf(bench), round)),
      'processes',
    ),
    promise(
      'FLT-1',
      'in a storm of faults each call takes effect once, or not at all if it failed',
      (bench) => eachRound(3, (round) => raceInStorm(bench, round)),
      'wire',
    ),
  ];
}

interface Round {
  readonly operations: number;
  readonly seed: number;
  readonly replay: string;
}

async function raceOfClients(bench: Bench, { replay, ...round }: Round): Promise<void> {
  const sessionId = bench.freshId();
  const racers: Racer[] = [];
  for (const name of 'abcdef') {
    racers.push(sessionRacer(name, bench.sessionOn(await bench.connect(), { sessionId })));
  }
  const history = await runRace({ ...round, racers, transactions: hasTransactions(bench) });
  mustBeExplained(await readLast(history, racers[0]!), replay);
}

async function raceOfProcesses(
  bench: Bench,
  opening: ProcessOpening,
  { replay, ...round }: Round,
): Promise<void> {
  await withProcesses(opening, bench.freshId(), ['abc', 'def'], async (processes) => {
    const racers = processes.flatMap((one) => one.racers);
    const history = await runRace({ ...round, racers, transactions: hasTransactions(bench) });
    mustBeExplained(await readLast(history, racers[0]!), replay);
  });
}

async function raceWithKilling(
  bench: Bench,
  opening: ProcessOpening,
  { replay, ...round }: Round,
): Promise<void> {
  await withProcesses(opening, bench.freshId(), ['abc', 'def', 'g'], async ([survivor, victim, heir]) => {
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
    mustBeExplained(await readLast(history, heir!.racers[0]!), replay);
  });
}

async function raceInStorm(bench: Bench, { replay, ...round }: Round): Promise<void> {
  const sessionId = bench.freshId();
  const proxy = await bench.proxy();
  const direct: Racer[] = [];
  for (const name of 'ab') {
    direct.push(sessionRacer(name, bench.sessionOn(await bench.connect(), { sessionId })));
  }
  const racers = [...direct];
  for (const name of 'cdef') {
    const connection = await bench.connect(proxy.address);
    racers.push(sessionRacer(name, bench.sessionOn(connection, { sessionId, timeoutMs: STORM_TIMEOUT_MS })));
  }
  const storm = new Storm(proxy, new Random(round.seed), LONG_FAULT_MS);
  const history = await runRace({
    ...round,
    racers,
    transactions: hasTransactions(bench),
    beforeCall: () => storm.blow(),
    isCalm: (racer) => direct.includes(racer),
    // Those past the proxy see how things are all the while that the others wait for what is broken.
    pauseMs: (racer) => (direct.includes(racer) ? DIRECT_PAUSE_MS : 0),
  });
  storm.end();
  holds(storm.count > 0, 'Something passed the proxy that could be broken', storm.count);
  mustBeExplained(await readLast(history, direct[0]!), replay);
}

function hasTransactions({ adapter }: Bench): boolean {
  return adapter.capabilities.transactions === true;
}

function openingOf({ adapter: { processes } }: Bench): ProcessOpening {
  if ('unsupported' in processes) throw new Error('A case that needs other processes ran without them.');
  return processes;
}

/** Starts a process for each text, with a racer for each letter of it, and ends them all whatever happens. */
async function withProcesses(
  opening: ProcessOpening,
  sessionId: string,
  names: readonly string[],
  race: (processes: readonly RaceProcess[]) => Promise<void>,
): Promise<void> {
  const processes: RaceProcess[] = [];
  try {
    for (const each of names) processes.push(await RaceProcess.start(opening, sessionId, [...each]));
    await race(processes);
  } finally {
    await Promise.all(processes.map((one) => one.end()));
  }
}
