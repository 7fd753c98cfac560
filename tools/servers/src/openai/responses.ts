import { createHash } from 'node:crypto';
import { invalid, notFound } from './api-error.ts';
import { ReasoningPairs } from './check-input.ts';
import type { ApiItem } from './check-items.ts';
import type { Conversations } from './conversations.ts';
import { type KeptResponse, modelContext } from './model-context.ts';
import { newId, storedItem } from './stored-item.ts';

/** What the model is asked. */
export interface ModelCall {
  /** All that it is shown, the oldest first. */
  readonly items: readonly ApiItem[];
  readonly body: Readonly<Record<string, unknown>>;
  /** How many responses there were before. */
  readonly count: number;
}

/** A model: what it says to what it is shown. Items without an id or a status are given one. */
export type Model = (call: ModelCall) => readonly ApiItem[];

/** Says which answer this is. */
const countingModel: Model = ({ count }) => [
  { type: 'message', role: 'assistant', content: `Answer ${count + 1}.`, status: 'completed' },
];

const RESPONSE_PARAMETERS = new Set(
  [
    'background conversation include input instructions max_output_tokens max_tool_calls metadata model',
    'moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options',
    'prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature',
    'text tool_choice tools top_logprobs top_p truncation user context_management',
  ].flatMap((line) => line.split(' ')),
);

const COMPACT_PARAMETERS = new Set(
  [
    'model input previous_response_id instructions prompt_cache_key prompt_cache_retention',
    'prompt_cache_options service_tier',
  ].flatMap((line) => line.split(' ')),
);

type Body = Readonly<Record<string, unknown>>;

/** The part of the API that has a model in it; the model is a script. */
export class Responses {
  /** Answers from now on. */
  model: Model = countingModel;
  readonly #kept = new Map<string, KeptResponse>();
  readonly #pairs = new ReasoningPairs();
  readonly #conversations: Conversations;
  #count = 0;

  constructor(conversations: Conversations) {
    this.#conversations = conversations;
  }

  /** What stands together in a conversation has to stand together in what a model is shown. */
  remember(items: readonly ApiItem[]): void {
    this.#pairs.remember(items);
  }

  create(project: string, body: Body): Body {
    checkParameters(body, RESPONSE_PARAMETERS);
    if (typeof body.model !== 'string' && !body.prompt) missing('model');
    const context = this.#context(project, body);
    const output = this.model({ items: context.items, body, count: this.#count++ }).map(storedItem);
    this.#pairs.remember(output);
    const response = responseOf(body, output, context.items);
    if (body.store !== false) {
      this.#kept.set(response.id as string, { project, items: [...context.items, ...output], response });
    }
    if (context.conversation) {
      this.#conversations.append(context.conversation, [...context.input, ...output]);
    }
    return response;
  }

  retrieve(project: string, id: string): Body {
    const kept = this.#kept.get(id);
    if (kept?.project !== project) throw notFound(`Response with id '${id}' not found.`);
    return kept.response;
  }

  /** The user's messages, and one item that stands for all the rest. */
  compact(project: string, body: Body): Body {
    checkParameters(body, COMPACT_PARAMETERS);
    if (typeof body.model !== 'string') missing('model');
    const { items } = this.#context(project, body);
    const kept = items.filter(({ type = 'message', role }) => type === 'message' && role === 'user');
    const rest = items.filter((item) => !kept.includes(item));
    // Of one length, however much it stands for: compactions of compactions must not grow.
    const sealed = createHash('sha256').update(JSON.stringify(rest)).digest('base64');
    const output = [...kept, storedItem({ type: 'compaction', encrypted_content: sealed })];
    return {
      id: newId('resp'),
      object: 'response.compaction',
      created_at: Math.floor(Date.now() / 1000),
      output,
      usage: usageOf(items, output),
    };
  }

  #context(project: string, body: Body) {
    return modelContext(project, body, {
      responses: this.#kept,
      conversations: this.#conversations,
      pairs: this.#pairs,
    });
  }
}

function responseOf(body: Body, output: readonly ApiItem[], input: readonly ApiItem[]): Body {
  return {
    id: newId('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    model: body.model ?? 'prompt',
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: usageOf(input, output),
  };
}

/** Four characters are a token, which is near enough. */
function usageOf(input: readonly ApiItem[], output: readonly ApiItem[]) {
  const tokens = (items: readonly ApiItem[]) => Math.ceil(JSON.stringify(items).length / 4);
  const [input_tokens, output_tokens] = [tokens(input), tokens(output)];
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}

function checkParameters(body: Body, known: ReadonlySet<string>): void {
  for (const name of Object.keys(body)) {
    if (!known.has(name)) throw invalid(`Unknown parameter: '${name}'.`, name, 'unknown_parameter');
  }
}

function missing(name: string): never {
  throw invalid(`Missing required parameter: '${name}'.`, name, 'missing_required_parameter');
}
