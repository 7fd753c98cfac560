import type { Contender, Conversation } from './contender.ts';
import { messages } from './items.ts';

/** What a conversation takes of this process's memory. */
export interface Held {
  readonly name: string;
  /** Of the heap, for each. */
  readonly bytes: number;
}

const OPEN = 100;
const SIZE = 1_000;

/** Fills many conversations and looks at what the heap has grown by. */
export async function heldBy(contender: Contender): Promise<Held> {
  const open: Conversation[] = [];
  const more = async () => {
    open.push(await contender.begin(messages(SIZE)));
  };
  // Code and caches grow with the first ones.
  for (let first = 0; first < OPEN / 4; first++) await more();
  const before = heapUsed();
  for (let one = 0; one < OPEN; one++) await more();
  const bytes = (heapUsed() - before) / OPEN;
  // Only now may they go.
  open.length = 0;
  return { name: contender.name, bytes };
}

function heapUsed(): number {
  if (!globalThis.gc) throw new Error('Node.js has to run with --expose-gc');
  for (let times = 0; times < 2; times++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}
