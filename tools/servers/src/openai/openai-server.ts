import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ApiError, invalid, rateLimited } from './api-error.ts';
import { Conversations } from './conversations.ts';
import { type Fault, Faults } from './faults.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { type Model, Responses } from './responses.ts';
import { answer, route, unknownUrl } from './routes.ts';
import { streamEvents } from './stream-events.ts';

/** A stand-in for the parts of OpenAI's API that have to do with conversations, on a port of this machine. */
export interface RunningOpenAI {
  /** What a client is built with: `new OpenAI({ baseURL, apiKey })`. */
  readonly baseURL: string;
  readonly apiKey: string;
  readonly host: string;
  readonly port: number;
  /** All that is kept, to be seen and changed behind the clients' backs. */
  readonly conversations: Conversations;
  readonly requests: RequestLog;
  readonly faults: Faults;
  /** Answers from now on. */
  script(model: Model): void;
  /** One more key, of this project. */
  addKey(apiKey: string, project: string): void;
  stop(): Promise<void>;
}

/** The project of the first key. */
export const DEFAULT_PROJECT = 'proj_default';

/** Starts a stand-in. It keeps everything in memory, and knows of one key. */
export async function startOpenAI(): Promise<RunningOpenAI> {
  const standIn = new StandIn();
  const server = createServer((request, response) => {
    standIn.serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const host = '127.0.0.1';
  return {
    baseURL: `http://${host}:${port}/v1`,
    apiKey: standIn.apiKey,
    host,
    port,
    conversations: standIn.conversations,
    requests: standIn.requests,
    faults: standIn.faults,
    script(model) {
      standIn.responses.model = model;
    },
    addKey: (apiKey, project) => void standIn.projects.set(apiKey, project),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

class StandIn {
  readonly apiKey = `sk-stand-in-${randomBytes(8).toString('hex')}`;
  readonly projects = new Map([[this.apiKey, DEFAULT_PROJECT]]);
  readonly conversations = new Conversations();
  readonly responses = new Responses(this.conversations);
  readonly requests = new RequestLog();
  readonly faults = new Faults();

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET';
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const found = route(method, pathname);
    const raw = await text(request);
    const body = parsed(raw);
    const logged: LoggedRequest = {
      operation: found?.operation,
      method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      body: body?.value,
      headers: request.headers,
      outcome: 'open',
    };
    this.requests.add(logged);
    response.once('close', () => {
      logged.outcome = response.writableFinished ? 'answered' : 'abandoned';
    });
    const fault = found && this.faults.take(found.operation);
    if (fault?.kind === 'cut') return void response.destroy();
    if (fault?.kind === 'hang') return;
    try {
      const project = this.#projectOf(request);
      if (!found) throw unknownUrl(method, pathname);
      await before(fault);
      if (!body) {
        throw invalid('We could not parse the JSON body of your request. The API expects a JSON payload.');
      }
      const call = { ...found, project, query: searchParams, body: body.value };
      const answered = answer(call, this.conversations, this.responses);
      if (fault?.kind === 'lose reply') return void response.destroy();
      if (fault?.kind === 'hang after') return;
      const streams = found.operation === 'responses.create' && isStream(body.value);
      if (streams) stream(response, answered as Record<string, unknown>);
      else reply(response, 200, fault?.kind === 'alter' ? fault.change(Object(answered)) : answered);
    } catch (error) {
      const known = error instanceof ApiError ? error : new ApiError(500, `The stand-in failed: ${error}`);
      reply(response, known.status, known.body, known.headers);
    }
  }

  #projectOf({ headers }: IncomingMessage): string {
    const [, apiKey = ''] = /^Bearer (.*)$/.exec(headers.authorization ?? '') ?? [];
    const project = this.projects.get(apiKey);
    if (project !== undefined) return project;
    const masked = apiKey.length > 8 ? `${apiKey.slice(0, 3)}***${apiKey.slice(-4)}` : '***';
    const message = apiKey
      ? `Incorrect API key provided: ${masked}. You can find your API key at https://platform.openai.com/account/api-keys.`
      : "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth.";
    throw new ApiError(401, message, { ...(apiKey && { code: 'invalid_api_key' }) });
  }
}

async function before(fault: Fault | undefined): Promise<void> {
  switch (fault?.kind) {
    case 'fail': {
      const { status = 500 } = fault;
      throw new ApiError(status, 'The server had an error while processing your request.');
    }
    case 'rate limit':
      throw rateLimited(fault.retryAfter);
    case 'meanwhile':
      await fault.run();
  }
}

/** The body, if it is JSON, or none at all. */
function parsed(raw: string): { value: unknown } | undefined {
  if (raw === '') return { value: undefined };
  try {
    return { value: JSON.parse(raw) as unknown };
  } catch {
    return undefined;
  }
}

function isStream(body: unknown): boolean {
  return (Object(body) as { stream?: unknown }).stream === true;
}

function apiHeaders(): Record<string, string> {
  return {
    'x-request-id': `req_${randomBytes(16).toString('hex')}`,
    'openai-version': '2020-10-01',
    'openai-organization': 'stand-in',
    'openai-processing-ms': '1',
  };
}

function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...apiHeaders(), ...headers });
  response.end(JSON.stringify(body));
}

function stream(response: ServerResponse, answered: Record<string, unknown>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...apiHeaders() });
  for (const event of streamEvents(answered)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
