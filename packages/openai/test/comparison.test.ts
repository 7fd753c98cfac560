import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentInputItem } from '@openai/agents';
import { describe, expect, it } from 'vitest';
import { type ComparisonCase, came, compare, compareItems } from './comparison.ts';

const say = (content: string) => ({ role: 'user', content }) satisfies AgentInputItem;
const stored = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ type: 'message', role: 'user', content: `m${at}` }));
const many = (count: number) => Array.from({ length: count }, (_, at) => say(`m${at}`));
const told = (text: unknown) => `\`${JSON.stringify(text)}\``;
const texts = (items: unknown[]) =>
  items.map((item) => (item as { content: [{ text: string }] } | undefined)?.content[0].text);

const CASES: readonly ComparisonCase[] = [
  {
    name: 'a first turn: read, then add three items',
    async run({ session, asked }) {
      await session.getItems();
      await session.addItems(many(3));
      return asked();
    },
  },
  {
    name: '25 first calls at once',
    async run({ session, api }) {
      await Promise.all(Array.from({ length: 25 }, (_, at) => session.addItems([say(`m${at}`)])));
      return `${api.conversations.all().length} conversation`;
    },
  },
  {
    name: '`addItems([])` and `clearSession()`, unused',
    async run({ session, asked }) {
      await session.addItems([]);
      await session.clearSession();
      return asked();
    },
  },
  {
    name: '`getItems(0)`, unused',
    async run({ session, asked }) {
      await session.getItems(0);
      return asked();
    },
    why: 'Nothing is read, so nothing is needed (CONV-1).',
  },
  {
    name: '`sessionId`, unused',
    run: ({ session }) => came(() => (session as unknown as { sessionId: unknown }).sessionId, String),
    why: 'It says what to do (CONV-2).',
  },
  {
    name: '`addItems` of 45',
    async run({ session, asked }) {
      const result = await came(() => session.addItems(many(45)));
      return `${asked()}: ${result}`;
    },
    why: 'The API takes 20 items a request (CONV-4).',
  },
  {
    name: '`getItems()` of 45',
    async run({ holding, asked }) {
      const items = await holding(stored(45)).getItems();
      return `${asked()}: ${items.length}`;
    },
  },
  {
    name: '`getItems(30)` of 45',
    async run({ holding, asked }) {
      const items = texts(await holding(stored(45)).getItems(30));
      return `${asked()}: ${items.at(0)} … ${items.at(-1)}`;
    },
    why: 'No page size is sent (CONV-3), as in the Python SDK.',
  },
  {
    name: '`getItems(NaN)` of 3',
    run: ({ holding }) =>
      came(
        () => holding(stored(3)).getItems(Number.NaN),
        (items) => `${(items as []).length}`,
      ),
    why: 'A mistake is told (GET-5).',
  },
  {
    name: '`getItems(Infinity)` of 3',
    run: ({ holding }) =>
      came(
        () => holding(stored(3)).getItems(Number.POSITIVE_INFINITY),
        (items) => `${(items as []).length}`,
      ),
  },
  {
    name: 'a page that says that there are more, but not where',
    async run({ holding, api }) {
      api.faults.order('items.list', {
        kind: 'alter',
        change: (list) => ({ ...list, data: [], last_id: '' }),
      });
      return came(
        () => holding(stored(45)).getItems(),
        (items) => `${(items as []).length} items`,
      );
    },
    why: 'A history with a hole in it is not returned as if it were whole.',
  },
  {
    name: '`popItem()`',
    async run({ holding, asked }) {
      const [item] = texts([await holding(stored(3)).popItem()]);
      return `${asked()}: ${item}`;
    },
    why: 'No page size is sent (CONV-3).',
  },
  {
    name: '10 pops of 10 at once',
    async run({ holding }) {
      const session = holding(stored(10));
      const popped = await Promise.allSettled(Array.from({ length: 10 }, () => session.popItem()));
      const given = popped.map((one) => (one.status === 'fulfilled' ? JSON.stringify(one.value) : 'none'));
      return new Set(given).size === 10 ? '10 items' : 'fewer than 10, and errors';
    },
    why: 'Each caller gets another item (CONV-5).',
  },
  {
    name: 'add, pop and read, not awaited',
    async run({ session, api }) {
      await session.getSessionId();
      api.faults.order('items.create', { kind: 'meanwhile', run: () => pause(100) });
      const [, popped, items] = await Promise.all([
        session.addItems(many(2)),
        session.popItem(),
        session.getItems(),
      ]);
      return told([texts([popped]), texts(items)]);
    },
    why: 'Calls take effect in the order in which they are made (ORD-4).',
  },
  {
    name: 'an item that is changed after `addItems` was called',
    async run({ session }) {
      const item = { role: 'user', content: 'before' };
      const adding = session.addItems([item as AgentInputItem]);
      item.content = 'after';
      await adding;
      return told(texts(await session.getItems()));
    },
    why: 'What was given counts (ADD-4).',
  },
  {
    name: '`clearSession()`, refused',
    async run({ holding, api }) {
      const session = holding(stored(1));
      api.faults.order('conversations.delete', { kind: 'fail' });
      const result = await came(() => session.clearSession());
      return `${result}, then ${(await session.getItems()).length} item`;
    },
  },
  {
    name: '`clearSession()` of a conversation that is gone',
    async run({ holding, api }) {
      const session = holding(stored(1));
      api.conversations.delete(api.conversations.all()[0]!);
      return came(() => session.clearSession());
    },
    why: 'It is what was wanted, and the session can go on (CLR-4).',
  },
  {
    name: 'reasoning with neither id nor encrypted content',
    async run({ session, asked }) {
      await session.getSessionId();
      asked();
      await session.addItems([{ type: 'reasoning', content: [] }]);
      return asked();
    },
  },
  {
    name: 'audio',
    async run({ session, asked }) {
      const items = [{ role: 'user', content: [{ type: 'audio', audio: 'AA==' }] }] as AgentInputItem[];
      const result = await came(() => session.addItems(items));
      return `${asked()}: ${result}`;
    },
    why: 'It is refused before anything is done, with index and path (ADD-5).',
  },
  {
    name: '`Date` in an item',
    async run({ session }) {
      const item = { type: 'unknown', providerData: { type: 'compaction', encrypted_content: new Date(0) } };
      return came(() => session.addItems([item as AgentInputItem]));
    },
    why: 'It would come back as something else (ADD-5).',
  },
  {
    name: '`replaceHistoryWithCompaction`',
    run: async ({ session }) => ('replaceHistoryWithCompaction' in session ? 'appends' : 'absent'),
    why: 'The API replaces nothing in one step, and the method would promise that (RPL-1).',
  },
];

/** Why items are sent or read in another way; each has to be met, and every difference has to have one. */
const ITEM_REASONS: readonly [row: RegExp, why: string][] = [
  [/^`message`, sent.*no `type`/, 'The published form.'],
  [/^`message`, sent.*no `id`/, 'The published schema asks for the id.'],
  [/^`message`, sent.*`content`: `"Hi\."`/, 'Without an id the brief form is the one that is published.'],
  [/^`message`, sent.*logprobs/, 'The published schema asks for them.'],
  [/^`function_call`, sent/, 'Fields that the API does not know stay here.'],
  [/^`function_call_result`, sent/, "The tool's name is kept, and the detail of an image said."],
  [/^`(?:hosted_tool_call|computer_call)`, sent.*\.id`/, 'The API asks for the id.'],
  [/^`hosted_tool_call`, sent.*approval_request_id/, '`providerData` is understood in either spelling.'],
  [/^`computer_call_result`, sent/, 'The API takes a URL.'],
  [/^`shell_call`, sent/, 'What was not said is left to the API.'],
  [/^`reasoning`, sent/, 'Kept.'],
  [/^`message`, read.*`role`: `"system"`/, 'Kept in its parts.'],
  [/^`message`, read.*`Error`/, 'Kept; the model is shown it as it is.'],
  [/^`message`, read.*detail/, 'Kept, and a URL is not mistaken for data.'],
  [/^`function_call_output`, read/, 'The SDK has no output without a call; kept as it is.'],
  [/^`computer_call`, read/, 'As the API has it.'],
  [/^`computer_call_output`, read/, 'The SDK has a name for it.'],
  [/^`mcp_approval_response`, read/, 'The SDK has a name for it.'],
  [/^`mcp_call`, read/, 'As the API has it.'],
];

describe('compared with the official OpenAIConversationsSession', () => {
  it.each(CASES)('$name', async (tried) => {
    const { official, ours, why } = await compare(tried);
    if (why === undefined) expect(ours).toBe(official);
    else expect(ours).not.toBe(official);
  });

  it('the README has both tables as they come out', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
    const rows = [...(await callRows()), ...(await itemRows())];
    // To be copied from here when something has changed.
    if (process.env.PRINT_TABLES) console.log(rows.join('\n'));
    const found = new Set(readme.split('\n').map(cells));
    expect(rows.filter((row) => !found.has(cells(row)))).toEqual([]);
    expect(readme.split('\n').filter((line) => line.startsWith('| ')).length).toBeGreaterThanOrEqual(
      rows.length,
    );
  });
});

async function callRows(): Promise<string[]> {
  const rows: string[] = [];
  for (const tried of CASES) {
    const { name, official, ours, why } = await compare(tried);
    rows.push(`| ${[name, official, why ? ours : 'the same', why ?? ''].join(' | ')} |`);
  }
  return rows;
}

async function itemRows(): Promise<string[]> {
  const unmet = new Set(ITEM_REASONS);
  const rows = (await compareItems()).map(({ name, official, ours }) => {
    const text = [name, official, ours].join(' | ');
    const reason = ITEM_REASONS.find(([row]) => row.test(text));
    expect(reason, `no reason for: ${text}`).toBeDefined();
    unmet.delete(reason!);
    return `| ${text} | ${reason![1]} |`;
  });
  expect([...unmet]).toEqual([]);
  return rows;
}

/** Whatever the width of the columns. */
function cells(line: string): string {
  return line
    .split('|')
    .map((cell) => cell.trim())
    .join('|');
}
