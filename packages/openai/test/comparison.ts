import { type AgentInputItem, OpenAIConversationsSession as OfficialSession } from '@openai/agents';
import { isSessionError } from '@sessions/core';
import { type RunningOpenAI, startOpenAI } from '@sessions/servers';
import { OpenAI } from 'openai';
import { OpenAIConversationsSession } from '../src/index.ts';
import type { ApiItem } from '../src/items/api-item.ts';
import { agentSamples, apiSamples } from './samples.ts';

/** What the two classes have in common. */
export interface EitherSession {
  getSessionId(): Promise<string>;
  getItems(limit?: number): Promise<unknown[]>;
  addItems(items: AgentInputItem[]): Promise<void>;
  popItem(): Promise<unknown>;
  clearSession(): Promise<void>;
}

/** What a case works with. */
export interface Trial {
  readonly api: RunningOpenAI;
  readonly client: OpenAI;
  readonly session: EitherSession;
  /** A session of the same class in a conversation that holds these items. */
  holding(items: readonly ApiItem[]): EitherSession;
  /** What was asked of the API since the last time, in short. */
  asked(): string;
}

export interface ComparisonCase {
  readonly name: string;
  /** Tells in short what came of it. */
  run(trial: Trial): Promise<string>;
  /** Why the two differ; nothing where they do not. */
  readonly why?: string;
}

export interface Row {
  readonly name: string;
  readonly official: string;
  readonly ours: string;
  readonly why: string | undefined;
}

/** Runs a case with both classes, each on a stand-in of its own. */
export async function compare({ name, run, why }: ComparisonCase): Promise<Row> {
  const official = await tried(run, (client, conversationId) => {
    return new OfficialSession({ client, ...(conversationId && { conversationId }) });
  });
  const ours = await tried(run, (client, conversationId) => {
    return new OpenAIConversationsSession({ client, conversationId });
  });
  return { name, official, ours, why };
}

async function tried(
  run: ComparisonCase['run'],
  build: (client: OpenAI, conversationId?: string) => EitherSession,
): Promise<string> {
  const api = await startOpenAI();
  try {
    const client = new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey, maxRetries: 0 });
    const asked = () => {
      const requests = api.requests.all().map(({ operation, query, body }) => {
        const { items } = Object(body) as { items?: unknown[] };
        const { order, limit } = query;
        const details = [order, limit && `limit=${limit}`, operation === 'items.create' && items?.length];
        const text = details.filter(Boolean).join(' ');
        return text ? `${operation} (${text})` : `${operation}`;
      });
      api.requests.clear();
      return requests.length > 0 ? requests.map((request) => `\`${request}\``).join(', ') : 'no request';
    };
    return await run({
      api,
      client,
      session: build(client),
      holding(items) {
        const conversation = api.conversations.create('proj_default');
        api.conversations.append(conversation, items);
        return build(client, conversation.id);
      },
      asked,
    });
  } finally {
    await api.stop();
  }
}

/** What came of a call: its result in short, or its error. */
export async function came(work: () => unknown, show = (_: unknown): string => 'done'): Promise<string> {
  try {
    return show(await work());
  } catch (error) {
    return errorText(error);
  }
}

function errorText(error: unknown): string {
  if (isSessionError(error)) return `\`${error.code}\``;
  // By its fields: the two classes may have two copies of the client's package.
  const { name, status, param } = error as { name: string; status?: number; param?: string | null };
  if (status === undefined) return `\`${name}\``;
  return param ? `${status} (\`${param}\`)` : String(status);
}

const ANSWER = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'So.' }],
} satisfies AgentInputItem;

interface Kept {
  readonly name: string;
  /** As the API was sent it, or as it refused it. */
  readonly sent: unknown;
  /** As it was read again. */
  readonly read: unknown;
}

/** What each class makes of each sample: written as the SDK has it, and read as the API has it. */
export async function compareItems(): Promise<Omit<Row, 'why'>[]> {
  const [official, ours] = await Promise.all([
    kept(
      (client, conversationId) => new OfficialSession({ client, ...(conversationId && { conversationId }) }),
    ),
    kept((client, conversationId) => new OpenAIConversationsSession({ client, conversationId })),
  ]);
  const rows = official.flatMap(({ name, sent, read }, at) => {
    const mine = ours[at]!;
    return [
      { name: `${name}, sent`, ...difference(sent, mine.sent) },
      { name: `${name}, read`, ...difference(read, mine.read) },
    ].filter((row) => row.official !== row.ours);
  });
  const texts = rows.map((row) => JSON.stringify(row));
  return rows.filter((_, at) => texts.indexOf(texts[at]!) === at);
}

async function kept(build: (client: OpenAI, conversationId?: string) => EitherSession): Promise<Kept[]> {
  const results: Kept[] = [];
  const samples = Object.entries(agentSamples).flatMap(([type, some]) =>
    some.map(([item]) => ({ name: `\`${type}\``, item })),
  );
  const api = await startOpenAI();
  const client = new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey, maxRetries: 0 });
  try {
    for (const { name, item } of samples) {
      const session = build(client);
      api.requests.clear();
      const error = await session
        .addItems([structuredClone(item), ANSWER] as AgentInputItem[])
        .catch((e) => e);
      const sent = (api.requests.all('items.create')[0]?.body as { items: unknown[] } | undefined)?.items[0];
      results.push({ name, sent: error ? errorText(error) : sent, read: undefined });
    }
    for (const [type, some] of Object.entries(apiSamples)) {
      for (const item of some) {
        const conversation = api.conversations.create('proj_default');
        api.conversations.append(conversation, [item]);
        const read = await build(client, conversation.id)
          .getItems()
          .then(([first]) => first, errorText);
        results.push({ name: `\`${type}\``, sent: undefined, read });
      }
    }
  } finally {
    await api.stop();
  }
  return results;
}

/** What both have anyway, or what the official class has twice. */
const REPEATED = /(?:^|\.)providerData\.(?:id|type|phase)$/;

/** The fields that are not the same, as each of two has them. Absent, `undefined` and an empty `providerData` are. */
function difference(official: unknown, ours: unknown): { official: string; ours: string } {
  if (typeof official === 'string' || typeof ours === 'string') {
    const text = (value: unknown) => (typeof value === 'string' ? value : 'taken');
    return { official: text(official), ours: text(ours) };
  }
  const [theirs, mine] = [official, ours].map((value) => flat(JSON.parse(JSON.stringify(value ?? {})))) as [
    Map<string, string>,
    Map<string, string>,
  ];
  const paths = [...new Set([...theirs.keys(), ...mine.keys()])].filter((path) => {
    return theirs.get(path) !== mine.get(path) && !REPEATED.test(path);
  });
  const depth = (path: string) => path.split(/[.[]/).length;
  paths.sort((a, b) => depth(a) - depth(b));
  const told = (fields: Map<string, string>) => {
    const some = paths
      .slice(0, MOST_FIELDS)
      .map((path) => (fields.has(path) ? `\`${path}\`: \`${fields.get(path)}\`` : `no \`${path}\``));
    return [...some, ...(paths.length > MOST_FIELDS ? ['…'] : [])].join(', ');
  };
  return { official: told(theirs), ours: told(mine) };
}

const MOST_FIELDS = 3;

function flat(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path, short(value)]]);
  const entries = Object.entries(value).flatMap(([name, entry]) => {
    const inside = path === '' ? name : Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`;
    return [...flat(entry, inside)];
  });
  if (entries.length === 0)
    return path.endsWith('providerData') ? new Map() : new Map([[path, short(value)]]);
  return new Map(entries);
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
