import { randomUUID } from 'node:crypto';
import type { AgentInputItem } from '@openai/agents';
import type { Session } from '@sessions/core';
import type { Contender, Conversation } from '../contender.ts';
import { TURN } from '../items.ts';

/** One of this repository's sessions. */
export function ours(
  name: string,
  open: (sessionId: string) => Session<AgentInputItem>,
  /** How many turns are added at once to begin with; more only where that leaves the same in the store. */
  turnsAtOnce = 1,
): Contender<AgentInputItem[]> {
  const conversation = (sessionId: string): Conversation<AgentInputItem[]> => {
    const session = open(sessionId);
    return {
      add: (items) => session.addItems(items),
      newest: (limit) => session.getItems(limit),
      again: () => conversation(sessionId),
    };
  };
  return {
    name,
    batch: (items) => [...items],
    async begin(items) {
      const begun = conversation(randomUUID());
      const parts = Math.ceil(items.length / (TURN * turnsAtOnce));
      for (let part = 0; part < parts; part++) {
        await begun.add(items.slice(part * TURN * turnsAtOnce, (part + 1) * TURN * turnsAtOnce));
      }
      return begun;
    },
  };
}

/** Items as turns add them. */
export function turnsOf<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / TURN) }, (_, turn) =>
    items.slice(turn * TURN, (turn + 1) * TURN),
  );
}
