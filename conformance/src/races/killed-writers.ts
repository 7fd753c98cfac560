import type { Bench } from '../bench.ts';
import { ClauseBroken } from '../check.ts';
import { Batches } from './batches.ts';
import type { ProcessOpening } from './process-opening.ts';
import { RaceProcess } from './race-process.ts';
import { type Racer, sessionRacer } from './racer.ts';
import type { Random } from './random.ts';

/** How many processes are started before it is their turn, which takes them longer than the turn itself. */
const AHEAD = 3;

/** The longest that a process writes before it is killed, in milliseconds. */
const LONGEST_MS = 30;

/** How many batches a process adds at once. */
const AT_ONCE = 2;

/**
 * One process after another looks at a session, adds batches to it, and is killed at any instant of that.
 *
 * @param kills - how many of them there are
 */
export async function killWriters(
  bench: Bench,
  opening: ProcessOpening,
  random: Random,
  kills: number,
): Promise<void> {
  const sessionId = bench.freshId();
  const batches = new Batches();
  const started: Promise<RaceProcess>[] = [];
  const start = () => {
    const starting = RaceProcess.start(opening, sessionId, ['writer']);
    starting.catch(() => undefined);
    started.push(starting);
  };
  try {
    for (let at = 0; at < kills; at++) {
      while (started.length < Math.min(at + AHEAD, kills)) start();
      const process = await started[at]!;
      const racer = process.racers[0]!;
      await batches.mustBeWhole(racer, 'What the next process finds');
      setTimeout(() => process.kill(), random.next() * LONGEST_MS);
      await Promise.all(Array.from({ length: AT_ONCE }, () => addUntilKilled(batches, process, racer)));
    }
    const heir = sessionRacer('heir', await bench.session({ sessionId }));
    await batches.mustBeWhole(heir, 'What is left in the end');
  } finally {
    for (const one of await Promise.allSettled(started))
      if (one.status === 'fulfilled') await one.value.end();
  }
}

async function addUntilKilled(batches: Batches, process: RaceProcess, racer: Racer): Promise<void> {
  while (!process.isKilled) {
    const outcome = await batches.add(racer);
    if (outcome.kind !== 'done' && !process.isKilled)
      throw new ClauseBroken('The next process can use the session at once', 'done', outcome);
  }
}
