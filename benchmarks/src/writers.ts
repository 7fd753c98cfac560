import type { Contender } from './contender.ts';
import { message, TURN } from './items.ts';

/** What became of the items that writers added at once. */
export interface Writers {
  readonly name: string;
  /** Items whose addition was acknowledged. */
  readonly acknowledged: number;
  /** Acknowledged, and not there. */
  readonly lost: number;
  /** There more than once. */
  readonly doubled: number;
  /** Additions whose items do not stand together, in their order. */
  readonly torn: number;
  /** Additions that failed. */
  readonly refused: number;
  /** Milliseconds until the last writer had its answer, the median of all rounds. */
  readonly ms: number;
}

const WRITERS = 25;
const ROUNDS = 10;

/** Writers that add a turn each to one new session at once, each as a request of its own; several times. */
export async function writersAtOnce(contender: Contender): Promise<Writers> {
  let [acknowledged, lost, doubled, torn, refused] = [0, 0, 0, 0, 0];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const conversation = await contender.begin([]);
    const marks = Array.from({ length: WRITERS }, (_, writer) =>
      Array.from({ length: TURN }, (_, index) => `<${writer}.${index}>`),
    );
    const batches = marks.map((texts) => contender.batch(texts.map((text, index) => message(index, text))));
    const started = performance.now();
    const ends = await Promise.allSettled(batches.map((batch) => conversation.again().add(batch)));
    times.push(performance.now() - started);
    // Whatever a library makes of a message, its text is in there.
    const found: readonly string[] =
      JSON.stringify(await conversation.again().newest()).match(/<\d+\.\d+>/g) ?? [];
    const text = found.join('');
    for (const [writer, { status }] of ends.entries()) {
      if (status === 'rejected') refused++;
      else {
        acknowledged += TURN;
        const gone = marks[writer]!.filter((mark) => !found.includes(mark)).length;
        lost += gone;
        if (gone < TURN && !text.includes(marks[writer]!.join(''))) torn++;
      }
    }
    doubled += found.length - new Set(found).size;
  }
  const ms = times.toSorted((a, b) => a - b)[ROUNDS >> 1]!;
  return { name: contender.name, acknowledged, lost, doubled, torn, refused, ms };
}
