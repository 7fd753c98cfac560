import type { Contender } from './contender.ts';
import { messages, TURN } from './items.ts';
import { Kept } from './kept.ts';
import type { Lane } from './race.ts';

/** What a goal can be set for. */
export type WorkKind = 'turn' | 'turns at once' | 'add' | 'add big' | 'read' | 'read all';

/** Something to do that any contender can be measured at. */
export interface Work {
  readonly name: string;
  readonly kind: WorkKind;
  start(contender: Contender): Promise<Lane>;
}

/** How many items an agent reads before it goes on. */
export const READ = 20;

/** How many items there are before a turn. */
export const SIZES = [1, 100, 1_000, 10_000] as const;

/** From how many bytes on an item's text is what its addition costs. */
const BIG = 10_000;

/** What a server does for one request: opens the session, reads what the model needs, adds what came of it. */
export function turnAt(size: number): Work {
  return {
    kind: 'turn',
    name: `one turn (read ${READ}, add ${TURN}) at ${count(size)}`,
    async start(contender) {
      const kept = await Kept.of(contender, size);
      const batch = contender.batch(messages(TURN));
      return {
        ready: () => kept.grow(TURN),
        async call() {
          const conversation = kept.conversation.again();
          await conversation.newest(READ);
          await conversation.add(batch);
        },
      };
    },
  };
}

/** Adds through a session that is kept, as a program with one user does. */
export function addOf(added: number, { size = 100, bytes }: { size?: number; bytes?: number } = {}): Work {
  const what = bytes === undefined ? count(added) : `${count(added)} of ${ofBytes(bytes)}`;
  return {
    kind: bytes === undefined || bytes < BIG ? 'add' : 'add big',
    name: `add ${what} to ${count(size)}`,
    async start(contender) {
      const kept = await Kept.of(contender, size);
      const batch = contender.batch(messages(added, bytes));
      return { ready: () => kept.grow(added), call: () => kept.conversation.add(batch) };
    },
  };
}

export function readOf(limit: number | undefined, size: number): Work {
  return {
    kind: limit === undefined ? 'read all' : 'read',
    name: limit === undefined ? `read all of ${count(size)}` : `read ${limit} of ${count(size)}`,
    async start(contender) {
      const { conversation } = await Kept.of(contender, size);
      return {
        async call() {
          const { length } = await conversation.newest(limit);
          if (length < (limit ?? size)) throw new Error(`it gives only ${length} of them`);
        },
      };
    },
  };
}

/** Turns of so many users at once, each in a session of its own. */
export function turnsAtOnce(sessions: number): Work {
  return {
    kind: 'turns at once',
    name: `${sessions} turns at once, at 20 to 120 items`,
    async start(contender) {
      const all = await Promise.all(Array.from({ length: sessions }, () => Kept.begin(contender, 20, 100)));
      const batch = contender.batch(messages(TURN));
      return {
        ready: async () => {
          for (const kept of all) await kept.grow(TURN);
        },
        call: () =>
          Promise.all(
            all.map(async (kept) => {
              const conversation = kept.conversation.again();
              await conversation.newest(READ);
              await conversation.add(batch);
            }),
          ),
      };
    },
  };
}

function count(items: number): string {
  return items === 1 ? '1 item' : `${items.toLocaleString('en')} items`;
}

function ofBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${bytes / 1_000} KB` : `${bytes / 1_000_000} MB`;
}
