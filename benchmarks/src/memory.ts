import { MemorySession as OfficialMemorySession } from '@openai/agents';
import { MemorySession } from '@sessions/memory';
import type { Comparison } from './compare.ts';
import { turn, turns } from './items.ts';

/** The memory session beside the official one. */
export function memoryComparisons(): Comparison[] {
  return [0, 100, 1_000].flatMap((length) => {
    const initialItems = turns(length / 2);
    const items = turn(1);
    const appendTo = (open: () => { addItems(items: ReturnType<typeof turn>): Promise<void> }) => {
      let session = open();
      let added = 0;
      return async () => {
        // The history stays about as long as the row says.
        if (++added % 50 === 0) session = open();
        await session.addItems(items);
      };
    };
    const adding: Comparison = {
      name: `addItems of 2 items to ${length}`,
      against: 'the official MemorySession',
      goal: 1,
      ours: appendTo(() => new MemorySession({ initialItems })),
      theirs: appendTo(() => new OfficialMemorySession({ initialItems })),
    };
    if (length === 0) return [adding];
    const [ours, theirs] = [new MemorySession({ initialItems }), new OfficialMemorySession({ initialItems })];
    const reading = [20, undefined].map((limit): Comparison => {
      return {
        name: `getItems(${limit ?? ''}) of ${length} items`,
        against: 'the official MemorySession',
        goal: 1,
        ours: () => ours.getItems(limit),
        theirs: () => theirs.getItems(limit),
      };
    });
    return [adding, ...reading];
  });
}
