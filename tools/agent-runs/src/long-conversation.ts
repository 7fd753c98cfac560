import assert from 'node:assert/strict';
import { type AgentInputItem, OpenAIResponsesModel, RunState, run, type Session } from '@openai/agents';
import { type Model, type RunningOpenAI, startOpenAI } from '@sessions/servers';
import { OpenAI } from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { OpenAIResponsesCompactionSession } from '../../../packages/openai/src/index.ts';
import { preparedItems } from '../../../packages/openai/src/items/prepared-items.ts';
import { type SessionElsewhere, scriptOf } from './elsewhere.ts';
import type { OpenSession } from './scenario.ts';
import { travelAgent } from './travel-agent.ts';

const TURNS = 60;

/** Every so many turns a flight is booked, which a person has to allow. */
const BOOKS_EVERY = 15;

/** What is known of a long conversation afterwards. */
export interface LongConversation {
  /** How many items the session held after each turn. */
  readonly lengths: readonly number[];
  /** How often it was compacted. */
  readonly compactions: number;
  /** The processes that took part in it. */
  readonly pids: readonly number[];
}

/**
 * Holds a conversation of 60 turns through the official runner, in which the model thinks and calls tools, the session is
 * compacted by the runner again and again, and now and then a run waits for a person.
 *
 * Rejects unless after each turn the session holds the newest questions once and in order (a model is not shown what stands
 * before a compaction, so that the next one leaves that out), and at the end the API takes the history as it is: each
 * call with its output, and each thought with what followed it.
 *
 * @param elsewhere - the answers are given in other processes then
 */
export async function longConversation(
  open: OpenSession,
  elsewhere?: SessionElsewhere,
): Promise<LongConversation> {
  const api = await startOpenAI();
  try {
    api.script(traveller);
    const connection = { baseURL: api.baseURL, apiKey: api.apiKey };
    const pids = new Set([process.pid]);
    const lengths: number[] = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      const question = questionOf(turn);
      const asked = await turnOf(open(), question, connection);
      if (turn % BOOKS_EVERY === 0) {
        assert.ok(asked.waiting !== undefined, `turn ${turn} asks nobody`);
        if (elsewhere) pids.add(await resumeElsewhere(elsewhere, asked.waiting, connection));
        else await resume(open(), asked.waiting, connection);
      }
      const items = await open().getItems();
      checkQuestions(items, turn);
      lengths.push(items.length);
    }
    await checkTaken(await open().getItems(), api);
    const compactions = api.requests.all('responses.compact').length;
    return { lengths, compactions, pids: [...pids] };
  } finally {
    await api.stop();
  }
}

/** How a stand-in for the API is reached. */
export interface ApiConnection {
  readonly baseURL: string;
  readonly apiKey: string;
}

/** Allows what a run waits for, and runs it to its end. */
export async function resume(session: Session, waiting: string, connection: ApiConnection): Promise<void> {
  const client = new OpenAI({ ...connection, maxRetries: 0 });
  const agent = agentOf(client);
  const state = await RunState.fromString(agent, waiting);
  for (const interruption of state.getInterruptions()) state.approve(interruption);
  const { finalOutput } = await run(agent, state, { session: compacting(session, client) });
  assert.match(String(finalOutput), /^Answer/);
}

/** One turn. What is returned is the run, if it waits for a person. */
async function turnOf(
  session: Session,
  question: string,
  connection: ApiConnection,
): Promise<{ waiting?: string }> {
  const client = new OpenAI({ ...connection, maxRetries: 0 });
  const result = await run(agentOf(client), question, { session: compacting(session, client) });
  if (result.interruptions.length > 0) return { waiting: result.state.toString() };
  assert.match(String(result.finalOutput), /^Answer/);
  return {};
}

async function resumeElsewhere(
  elsewhere: SessionElsewhere,
  waiting: string,
  { baseURL, apiKey }: ApiConnection,
): Promise<number> {
  const env = { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey };
  const { pid } = await scriptOf<{ pid: number }>('resuming-process.ts', elsewhere, waiting, env);
  return pid;
}

function agentOf(client: OpenAI) {
  return travelAgent(new OpenAIResponsesModel(client, 'gpt-5.5'));
}

function compacting(underlyingSession: Session, client: OpenAI): Session {
  return new OpenAIResponsesCompactionSession({ underlyingSession, client });
}

function questionOf(turn: number): string {
  return turn % BOOKS_EVERY === 0 ? `Book flight ${turn}.` : `How is city ${turn}?`;
}

/** Thinks and calls tools, two at once in every third turn, or thinks and answers. */
const traveller: Model = ({ items, count }) => {
  const thought = { type: 'reasoning', summary: [{ type: 'summary_text', text: `Thought ${count}.` }] };
  const last = items.at(-1)!;
  if (last.type === 'function_call_output') {
    return [thought, { type: 'message', role: 'assistant', content: `Answer ${count}.` }];
  }
  const question = JSON.stringify(last.content);
  const turn = Number(/\d+/.exec(question)?.[0]);
  const call = (name: string, args: object, at = 0) => ({
    type: 'function_call',
    call_id: `call_${turn}_${at}`,
    name,
    arguments: JSON.stringify(args),
  });
  if (question.includes('Book')) return [thought, call('book', { flight: `TP ${turn}` })];
  const weather = [0, 1].slice(0, turn % 3 === 0 ? 2 : 1);
  return [thought, ...weather.map((at) => call('weather', { city: `city ${turn}` }, at))];
};

/** The newest questions are there, the one of this turn too, none of them twice or out of order. */
function checkQuestions(items: AgentInputItem[], turn: number): void {
  const found = items
    .filter((item) => 'role' in item && item.role === 'user')
    .map((item) => /(?:How|Book)[^"]*/.exec(JSON.stringify(item))?.[0]);
  const asked = Array.from({ length: turn }, (_, at) => questionOf(at + 1));
  assert.ok(found.length > 0);
  assert.deepEqual(found, asked.slice(-found.length));
}

/** The API itself finds nothing wrong with what is stored; the runner would leave out what has lost its other half. */
async function checkTaken(items: AgentInputItem[], api: RunningOpenAI): Promise<void> {
  const client = new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey, maxRetries: 0 });
  const history = preparedItems(items, 'agents') as unknown as ResponseInputItem[];
  const input: ResponseInputItem[] = [...history, { role: 'user', content: 'How is city 61?' }];
  await client.responses.create({ model: 'gpt-5.5', input });
}
