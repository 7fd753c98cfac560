import { APIError, OpenAI } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiItem, type RunningOpenAI, startOpenAI } from '../src/index.ts';

let api: RunningOpenAI;
let client: OpenAI;

beforeEach(async () => {
  api = await startOpenAI();
  client = clientOf(api.apiKey);
});
afterEach(() => api.stop());

function clientOf(apiKey: string, options: { maxRetries?: number; timeout?: number } = {}): OpenAI {
  return new OpenAI({ baseURL: api.baseURL, apiKey, maxRetries: 0, ...options });
}

const user = (content: string) => ({ type: 'message', role: 'user', content }) as const;
const said = (text: string, id = 'msg_1') =>
  ({
    id,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  }) as const;
const thought = (id = 'rs_1') => ({ id, type: 'reasoning', summary: [] }) as const;

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Says what the API says to something that it does not take. */
async function refusal(work: PromiseLike<unknown>) {
  const error = await Promise.resolve(work).then(
    () => expect.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(APIError);
  const { status, code, param, type, requestID } = error as APIError & { requestID: string };
  expect(requestID).toMatch(/^req_/);
  return { status, code, param, type };
}

describe('conversations', () => {
  it('are created with items, found, renamed and deleted', async () => {
    const created = await client.conversations.create({ items: [user('Hi.')], metadata: { a: 'b' } });
    expect(created).toMatchObject({ object: 'conversation', metadata: { a: 'b' } });
    expect(created.id).toMatch(/^conv_/);
    await client.conversations.update(created.id, { metadata: { c: 'd' } });
    expect(await client.conversations.retrieve(created.id)).toEqual({ ...created, metadata: { c: 'd' } });
    const deleted = await client.conversations.delete(created.id);
    expect(deleted).toEqual({ id: created.id, object: 'conversation.deleted', deleted: true });
    expect(await refusal(client.conversations.retrieve(created.id))).toMatchObject({ status: 404 });
    expect(await refusal(client.conversations.items.list(created.id))).toMatchObject({ status: 404 });
  });

  it('need not be given anything', async () => {
    const { id } = await client.conversations.create();
    expect(await client.conversations.items.list(id)).toMatchObject({ data: [], has_more: false });
  });

  it('are nobody’s but their project’s', async () => {
    api.addKey('sk-of-another', 'proj_other');
    const { id } = await client.conversations.create();
    const other = clientOf('sk-of-another');
    expect(await refusal(other.conversations.items.list(id))).toMatchObject({ status: 404 });
    expect(await refusal(other.conversations.delete(id))).toMatchObject({ status: 404 });
  });

  it('have ids of one form', async () => {
    expect(await refusal(client.conversations.retrieve('abc'))).toMatchObject({
      status: 400,
      param: 'conversation_id',
    });
    expect(await refusal(client.conversations.retrieve('conv_unknown'))).toMatchObject({ status: 404 });
  });
});

describe('keys', () => {
  it('that are wrong are refused, and not told in full', async () => {
    const work = clientOf('sk-wrong-but-long').conversations.create();
    await expect(work).rejects.toThrow(expect.not.stringContaining('wrong-but'));
    expect(await refusal(clientOf('sk-wrong').conversations.create())).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });

  it('have to be there', async () => {
    const response = await fetch(`${api.baseURL}/conversations`, { method: 'POST' });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param: null, code: null },
    });
  });
});

describe('items', () => {
  let id: string;
  beforeEach(async () => {
    id = (await client.conversations.create()).id;
  });
  const add = (items: readonly unknown[]) => client.conversations.items.create(id, { items: items as never });

  it('come back with an id, a status, parts and the defaults', async () => {
    const added = await add([
      user('Hi.'),
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: [{ type: 'input_image', image_url: 'https://a.b/c.png' }] },
      { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' },
    ]);
    const given = [
      { type: 'message', role: 'user', status: 'completed', content: [{ type: 'input_text', text: 'Hi.' }] },
      {
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hello.', annotations: [], logprobs: [] }],
      },
      { content: [{ type: 'input_image', image_url: 'https://a.b/c.png', file_id: null, detail: 'auto' }] },
      { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}', status: 'completed' },
    ];
    expect(added).toMatchObject({ object: 'list', data: given, has_more: false });
    expect(added.data.map((item) => item.id?.split('_')[0])).toEqual(['msg', 'msg', 'msg', 'fc']);
    expect([added.first_id, added.last_id]).toEqual([added.data[0]!.id, added.data[3]!.id]);
  });

  it('are taken 20 at a time', async () => {
    await add(Array.from({ length: 20 }, () => user('m')));
    const tooMany = add(Array.from({ length: 21 }, () => user('m')));
    expect(await refusal(tooMany)).toMatchObject({
      status: 400,
      param: 'items',
      code: 'array_above_max_length',
    });
    expect(api.conversations.peek(id)?.items).toHaveLength(20);
  });

  it('are listed newest first, 20 a page, or as it is asked', async () => {
    for (const part of [0, 1, 2])
      await add(Array.from({ length: 15 }, (_, at) => user(`m${part * 15 + at}`)));
    const texts = (items: readonly unknown[]) =>
      items.map((item) => (item as { content: [{ text: string }] }).content[0].text);
    const first = await client.conversations.items.list(id);
    expect(texts(first.data)).toEqual(Array.from({ length: 20 }, (_, at) => `m${44 - at}`));
    expect(first).toMatchObject({ has_more: true, last_id: first.data[19]!.id });
    const all = await listOf(client.conversations.items.list(id, { order: 'asc', limit: 10 }));
    expect(texts(all)).toEqual(Array.from({ length: 45 }, (_, at) => `m${at}`));
    expect(api.requests.all('items.list')).toHaveLength(6);
  });

  it.each([0, -1, 101, 1.5])('are not listed with a limit of %s', async (limit) => {
    expect(await refusal(client.conversations.items.list(id, { limit }))).toMatchObject({
      status: 400,
      param: 'limit',
    });
  });

  it('are listed after no item that is not there, and in no other order', async () => {
    expect(await refusal(client.conversations.items.list(id, { after: 'msg_9' }))).toMatchObject({
      status: 404,
    });
    const sideways = client.conversations.items.list(id, { order: 'sideways' as never });
    expect(await refusal(sideways)).toMatchObject({ status: 400, param: 'order' });
  });

  it('are found and deleted by their ids', async () => {
    const { data } = await add([user('a'), user('b')]);
    const [item_id, other] = data.map((item) => item.id!) as [string, string];
    expect(await client.conversations.items.retrieve(item_id, { conversation_id: id })).toEqual(data[0]);
    expect(await client.conversations.items.delete(item_id, { conversation_id: id })).toMatchObject({ id });
    const again = client.conversations.items.delete(item_id, { conversation_id: id });
    expect(await refusal(again)).toMatchObject({ status: 404 });
    expect(api.conversations.peek(id)?.items.map((item) => item.id)).toEqual([other]);
  });

  it.each<[string, unknown, string, string]>([
    ['no type', { content: 'a' }, 'items[0].role', 'invalid_value'],
    ['a type of next year', { type: 'of_next_year' }, 'items[0].type', 'invalid_value'],
    ['a field too many', { ...user('a'), model: 'b' }, 'items[0].model', 'unknown_parameter'],
    [
      'a field too few',
      { type: 'function_call', call_id: 'a', name: 'b' },
      'items[0].arguments',
      'missing_required_parameter',
    ],
    [
      'a part of a wrong type',
      { role: 'user', content: [{ type: 'input_text', text: 1 }] },
      'items[0].content[0].text',
      'invalid_type',
    ],
    [
      'a hosted call without its id',
      { type: 'file_search_call', status: 'completed', queries: [] },
      'items[0].id',
      'missing_required_parameter',
    ],
    [
      'an empty call id',
      { type: 'function_call_output', call_id: '', output: 'a' },
      'items[0].call_id',
      'string_too_small',
    ],
    [
      'reasoning that nobody could find again',
      { type: 'reasoning', summary: [] },
      'items[0].id',
      'missing_required_parameter',
    ],
    ['an id of another kind', said('a', 'FAKE_ID'), 'items[0].id', 'invalid_value'],
    ['text', 'a', 'items[0]', 'invalid_type'],
  ])('with %s are refused', async (_, item, param, code) => {
    expect(await refusal(add([item]))).toEqual({ status: 400, type: 'invalid_request_error', param, code });
    expect(api.conversations.peek(id)?.items).toEqual([]);
  });

  it('of reasoning go with what follows them', async () => {
    expect(await refusal(add([thought()]))).toMatchObject({ status: 400, param: 'items' });
    expect(await refusal(add([thought(), user('a')]))).toMatchObject({ status: 400, param: 'items' });
    await add([thought(), thought('rs_2'), said('a')]);
  });

  it('cannot be there twice, and can be referred to', async () => {
    await add([said('a')]);
    expect(await refusal(add([said('b')]))).toMatchObject({ status: 400 });
    const other = await client.conversations.create({ items: [{ id: 'msg_1', type: 'item_reference' }] });
    expect(api.conversations.peek(other.id)?.items).toMatchObject([said('a')]);
    expect(await refusal(add([{ id: 'msg_9' }]))).toMatchObject({ status: 404 });
  });
});

describe('what is no endpoint, or no body', () => {
  it('is refused', async () => {
    const headers = { authorization: `Bearer ${api.apiKey}`, 'content-type': 'application/json' };
    const post = (path: string, body: string) => fetch(api.baseURL + path, { method: 'POST', headers, body });
    expect((await post('/nothing', '{}')).status).toBe(404);
    expect((await post('/conversations', '{')).status).toBe(400);
    expect((await post('/conversations', '[]')).status).toBe(400);
    expect((await post('/conversations', '{"oops":1}')).status).toBe(400);
  });
});

describe('responses', () => {
  const create = (input: unknown, more = {}) =>
    client.responses.create({ model: 'gpt-5.5', input: input as never, ...more });

  it('are what the script says', async () => {
    const asked: ApiItem[][] = [];
    api.script(({ items }) => {
      asked.push([...items]);
      return [said('Hello.')];
    });
    const response = await create('Hi.');
    expect(response).toMatchObject({ object: 'response', status: 'completed', output_text: 'Hello.' });
    expect(response.usage?.total_tokens).toBeGreaterThan(0);
    expect(asked).toMatchObject([[{ role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] }]]);
    expect(await client.responses.retrieve(response.id)).toMatchObject({ id: response.id });
  });

  it('come as a stream', async () => {
    const stream = client.responses.stream({ model: 'gpt-5.5', input: 'Hi.' });
    const types = (await listOf(stream)).map(({ type }) => type);
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect((await stream.finalResponse()).output_text).toBe('Answer 1.');
  });

  it('follow others, unless those were not stored', async () => {
    const { id } = await create('Hi.');
    await create('And?', { previous_response_id: id });
    const { id: unstored } = await create('Hi.', { store: false });
    expect(await refusal(create('And?', { previous_response_id: unstored }))).toMatchObject({
      status: 400,
      code: 'previous_response_not_found',
    });
  });

  it('are added to a conversation', async () => {
    const { id } = await client.conversations.create({ items: [user('Hi.')] });
    await create('And?', { conversation: id });
    expect(api.conversations.peek(id)?.items).toMatchObject([
      { role: 'user' },
      { role: 'user' },
      { role: 'assistant' },
    ]);
  });

  const call = { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'b' };
  it.each([
    ['a call without its output', [user('a'), call]],
    ['an output without its call', [user('a'), output]],
    ['reasoning without what follows', [user('a'), thought()]],
    ['an item twice', [said('a'), said('a')]],
    ['a field too many', [{ ...user('a'), model: 'b' }]],
    ['nothing', []],
  ])('are not given to %s', async (_, input) => {
    expect(await refusal(create(input))).toMatchObject({ status: 400 });
  });

  it('are not given to what a model said without the reasoning that led to it', async () => {
    api.script(() => [thought('rs_7'), said('Hello.', 'msg_7')]);
    await create('Hi.');
    expect(await refusal(create([user('Hi.'), said('Hello.', 'msg_7'), user('And?')]))).toMatchObject({
      status: 400,
    });
    api.script(() => [said('Yes.', 'msg_8')]);
    await create([user('Hi.'), thought('rs_7'), said('Hello.', 'msg_7'), user('And?')]);
    await create([user('Hi.'), { role: 'assistant', content: 'Hello.' }, user('And?')]);
  });

  it('are compacted to the user’s messages and one item', async () => {
    const compacted = await client.responses.compact({
      model: 'gpt-5.5',
      input: [user('a'), call, output, said('b'), user('c')] as never,
    });
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [
        { role: 'user', content: [{ text: 'a' }] },
        { role: 'user', content: [{ text: 'c' }] },
        { type: 'compaction', encrypted_content: expect.any(String) },
      ],
      usage: { input_tokens_details: {}, output_tokens_details: {} },
    });
    const { id } = await create('Hi.');
    const chained = await client.responses.compact({ model: 'gpt-5.5', previous_response_id: id });
    expect(chained.output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    expect(await refusal(client.responses.compact({ model: 'gpt-5.5' }))).toMatchObject({ param: 'input' });
    const stored = client.responses.compact({ model: 'gpt-5.5', input: 'a', store: false } as never);
    expect(await refusal(stored)).toMatchObject({ param: 'store' });
  });
});

describe('faults', () => {
  const conversations = () => api.conversations.all().length;

  it('fail, and nothing is done', async () => {
    api.faults.order('conversations.create', { kind: 'fail', status: 503 });
    expect(await refusal(client.conversations.create())).toMatchObject({ status: 503, type: 'server_error' });
    expect(conversations()).toBe(0);
    await client.conversations.create();
  });

  it('are waited out by the client, for as long as it was told', async () => {
    api.faults.order('conversations.create', { kind: 'rate limit', retryAfter: 1 });
    const started = performance.now();
    await clientOf(api.apiKey, { maxRetries: 1 }).conversations.create();
    expect(performance.now() - started).toBeGreaterThan(900);
    expect(conversations()).toBe(1);
  });

  it('hang, before it is done or after', async () => {
    const hasty = clientOf(api.apiKey, { timeout: 300 });
    api.faults.order('conversations.create', { kind: 'hang' });
    await expect(hasty.conversations.create()).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
    expect(conversations()).toBe(0);
    api.faults.order('conversations.create', { kind: 'hang after' });
    await expect(hasty.conversations.create()).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
    expect(conversations()).toBe(1);
  });

  it('cut the connection, before it is done or after', async () => {
    api.faults.order('conversations.create', { kind: 'cut' });
    await expect(client.conversations.create()).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    expect(conversations()).toBe(0);
    api.faults.order('conversations.create', { kind: 'lose reply' });
    await expect(client.conversations.create()).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    expect(conversations()).toBe(1);
  });

  it('change a page between two requests', async () => {
    const { id } = await client.conversations.create();
    for (const _ of [1, 2]) {
      await client.conversations.items.create(id, { items: Array.from({ length: 20 }, () => user('m')) });
    }
    const { items } = api.conversations.peek(id)!;
    api.faults.order('items.list', { kind: 'meanwhile', run: () => items.splice(30) }, { skip: 1 });
    expect(await listOf(client.conversations.items.list(id, { order: 'asc' }))).toHaveLength(30);
  });

  it('come one for each request, in the order in which they were ordered', async () => {
    api.faults.order('conversations.create', { kind: 'fail' }, { skip: 1 });
    api.faults.order('conversations.create', { kind: 'fail', status: 503 }, { skip: 1 });
    const statuses: unknown[] = [];
    for (const _ of [1, 2, 3, 4]) {
      statuses.push(
        await client.conversations.create().then(
          () => 200,
          ({ status }) => status,
        ),
      );
    }
    expect(statuses).toEqual([200, 500, 503, 200]);
    expect(api.requests.operations()).toEqual(Array(4).fill('conversations.create'));
  });
});
