import { isDeepStrictEqual } from 'node:util';
import { type AgentInputItem, MemorySession } from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { type AgentScenario, agentScenarios, type OpenSession, official } from '../src/index.ts';

test.each(agentScenarios)('$name: the official session gives the same every time', async (scenario) => {
  expect(await official(scenario)).toEqual(await official(scenario));
});

/** Sessions with one mistake each, and a scenario that has to notice it. */
const mistakes: { mistake: string; noticedBy: string; open: () => OpenSession }[] = [
  {
    mistake: 'remembers only what its own instance wrote',
    noticedBy: 'several turns',
    open: () => () => new MemorySession(),
  },
  {
    mistake: 'loses the last item of a batch',
    noticedBy: 'tool calls, one and then two at once',
    open: one(
      class extends MemorySession {
        override addItems(items: AgentInputItem[]) {
          return super.addItems(items.slice(0, -1));
        }
      },
    ),
  },
  {
    mistake: 'applies a write twice',
    noticedBy: 'streaming',
    open: one(
      class extends MemorySession {
        override async addItems(items: AgentInputItem[]) {
          await super.addItems(items);
          await super.addItems(items);
        }
      },
    ),
  },
  {
    mistake: 'lets the batches of two writers mix',
    noticedBy: 'two runs at once',
    open: one(
      class extends MemorySession {
        override async addItems(items: AgentInputItem[]) {
          for (const item of items) await super.addItems([item]);
        }
      },
    ),
  },
  {
    mistake: 'loses one of two writes at once',
    noticedBy: 'two runs at once',
    open: one(
      class extends MemorySession {
        override async addItems(items: AgentInputItem[]) {
          const before = await super.getItems();
          await super.clearSession();
          await super.addItems([...before, ...items]);
        }
      },
    ),
  },
  {
    mistake: 'does not remove the suffix that it replaces',
    noticedBy: 'an output guardrail that trips, and then lets the same run pass',
    open: one(
      class extends MemorySession {
        override async applyHistoryTransaction(
          args: Parameters<MemorySession['applyHistoryTransaction']>[0],
        ): Promise<void> {
          const { transaction } = args;
          if (transaction.type === 'append_items') return super.applyHistoryTransaction(args);
          await super.addItems(transaction.replacement);
        }
      },
    ),
  },
  {
    mistake: 'adds a field to items',
    noticedBy: 'a human approval, given to the serialized run',
    open: one(
      class extends MemorySession {
        override async getItems(limit?: number) {
          const items = await super.getItems(limit);
          return items.map((item, at) => Object.assign(item, { storedAs: at }));
        }
      },
    ),
  },
];

function one(Session: new () => MemorySession): () => OpenSession {
  return () => {
    const session = new Session();
    return () => session;
  };
}

describe('a mistaken session is noticed', () => {
  test.each(mistakes)('one that $mistake', async ({ noticedBy, open }) => {
    const scenario = agentScenarios.find(({ name }) => name === noticedBy)!;
    expect(await goesAsOfficially(scenario, () => official(scenario))).toBe(true);
    expect(await goesAsOfficially(scenario, () => scenario.run(open()))).toBe(false);
  });
});

/** Whether the outcome is the official one; a run that fails is not. */
async function goesAsOfficially(scenario: AgentScenario, go: () => ReturnType<typeof official>) {
  const expected = await official(scenario);
  return go().then(
    (found) => isDeepStrictEqual(plain(found), plain(expected)),
    () => false,
  );
}

/** Without the properties that are `undefined`, which a session need not keep. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
