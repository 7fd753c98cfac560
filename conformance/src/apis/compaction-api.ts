import type { IncomingMessage, ServerResponse } from 'node:http';
import { PlayedApi } from './played-api.ts';

type Item = Readonly<Record<string, unknown>>;

/** What was asked: the body of a request to compact. */
export interface CompactionRequest extends Item {
  readonly input?: readonly Item[];
  readonly previous_response_id?: string;
}

/** What is answered in the place of a compaction. */
export type CompactionAnswer = { readonly status: number; readonly body: unknown } | 'cut' | 'hang';

/** The tokens that every compaction is said to have taken. */
export const USAGE = {
  input_tokens: 901,
  input_tokens_details: { cached_tokens: 17 },
  output_tokens: 83,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 984,
} as const;

/**
 * Plays `POST /responses/compact`, the one endpoint that a compaction needs: the user's messages come back as they are,
 * and after them one item that stands for the rest.
 */
export class CompactionApi extends PlayedApi {
  /** Every request, the oldest first. */
  readonly requests: CompactionRequest[] = [];
  /** What happens while a request is being answered. */
  meanwhile: () => Promise<unknown> = async () => undefined;
  /** What is answered; `undefined` for a compaction. */
  answer: (request: CompactionRequest) => CompactionAnswer | undefined = () => undefined;

  private constructor() {
    super();
  }

  static async start(): Promise<CompactionApi> {
    const api = new CompactionApi();
    await api.listen();
    return api;
  }

  /** The items that a compaction gives for a request. */
  static output({ input = [] }: CompactionRequest, count: number): Item[] {
    const kept = input.filter(({ type = 'message', role }) => type === 'message' && role === 'user');
    const messages = kept.map(({ content }, at) => ({
      id: `msg_${count}_${at}`,
      type: 'message',
      role: 'user',
      status: 'completed',
      content: typeof content === 'string' ? [{ type: 'input_text', text: content }] : content,
    }));
    return [...messages, { id: `cmp_${count}`, type: 'compaction', encrypted_content: `sealed ${count}` }];
  }

  protected async serve(_: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const request = JSON.parse(body) as CompactionRequest;
    this.requests.push(request);
    const count = this.requests.length;
    await this.meanwhile();
    const answered = this.answer(request) ?? {
      status: 200,
      body: {
        id: `resp_${count}`,
        object: 'response.compaction',
        created_at: 1_700_000_000,
        output: CompactionApi.output(request, count),
        usage: USAGE,
      },
    };
    if (answered === 'hang') return;
    if (answered === 'cut') return void response.destroy();
    response.writeHead(answered.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answered.body));
  }
}
