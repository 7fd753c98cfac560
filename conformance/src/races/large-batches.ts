import type { Bench } from '../bench.ts';
import { meanwhile } from '../check.ts';
import { Batches } from './batches.ts';
import type { ProcessOpening } from './process-opening.ts';
import { RaceProcess } from './race-process.ts';
import { sessionRacer } from './racer.ts';

/** How many batches are added, one in eight of them hundreds of kilobytes. */
const BATCHES = 80;

/** One process reads again and again, while this one adds batches that take a store a while. */
export async function readWhileWritten(bench: Bench, opening: ProcessOpening): Promise<void> {
  const sessionId = bench.freshId();
  const batches = new Batches();
  const process = await RaceProcess.start(opening, sessionId, ['reader']);
  try {
    const writer = sessionRacer('writer', await bench.session({ sessionId }));
    const adding = (async () => {
      for (let at = 0; at < BATCHES; at++) await batches.add(writer);
    })();
    const reader = process.racers[0]!;
    await meanwhile(adding, () => batches.mustBeWhole(reader, 'What another process reads meanwhile'));
    await batches.mustBeWhole(reader, 'What another process reads in the end');
  } finally {
    await process.end();
  }
}
