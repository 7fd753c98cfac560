import { setTimeout as pause } from 'node:timers/promises';
import { isSessionError } from '@sessions/core';
import { OpenAI } from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { OpenAIConversationsSession, startOpenAIConversationsSession } from '../src/index.ts';
import { message, messages, names, textOf, thrown, useStandIn } from './stand-in.ts';

const bench = useStandIn();

describe('CONV-1: the conversation is created when it is needed', () => {
  it.each<[string, (session: OpenAIConversationsSession<'responses'>) => Promise<unknown>]>([
    ['getItems()', (session) => session.getItems()],
    ['getItems(1)', (session) => session.getItems(1)],
    ['addItems([item])', (session) => session.addItems([message('a')])],
    ['popItem()', (session) => session.popItem()],
    ['getSessionId()', (session) => session.getSessionId()],
  ])('by %s', async (_, use) => {
    const session = bench.session();
    await use(session);
    expect(bench.asked()[0]).toBe('conversations.create');
    expect(bench.api.conversations.peek(session.sessionId)).toBeDefined();
    await use(session);
    expect(bench.asked()).not.toContain('conversations.create');
  });

  it('and by nothing else', async () => {
    const session = bench.session({ sessionSettings: { limit: 0 } });
    await session.addItems([]);
    await session.clearSession();
    await session.getItems();
    await session.getItems(0);
    await session.getItems(-1);
    await session.getItems(Number.NEGATIVE_INFINITY);
    expect(bench.asked()).toEqual([]);
  });

  it('once, however many callers wait', async () => {
    const session = bench.session();
    const calls = Array.from({ length: 25 }, (_, at) =>
      at % 2 ? session.getSessionId() : session.addItems([message(`m${at}`)]),
    );
    await Promise.all(calls);
    expect(bench.api.conversations.all()).toHaveLength(1);
    expect(bench.stored(session.sessionId)).toHaveLength(13);
  });

  it('again by the next caller when it failed', async () => {
    const session = bench.session();
    bench.api.faults.order('conversations.create', { kind: 'fail' });
    const [first, second] = await Promise.allSettled([session.getSessionId(), session.getSessionId()]);
    expect(first.status).toBe('rejected');
    expect(second).toEqual({ status: 'fulfilled', value: session.sessionId });
    expect(bench.api.conversations.all()).toHaveLength(1);
  });

  it('for all that come later, though the one who created it gave up', async () => {
    const session = bench.session();
    const giveUp = new AbortController();
    bench.api.faults.order('conversations.create', {
      kind: 'meanwhile',
      run: () => giveUp.abort(new Error('enough')),
    });
    await expect(session.getSessionId({ signal: giveUp.signal })).rejects.toThrow('enough');
    expect(await session.getSessionId()).toBe(bench.api.conversations.all()[0]!.id);
    expect(bench.api.conversations.all()).toHaveLength(1);
  });
});

describe('CONV-2: the id', () => {
  it('is not there before', () => {
    const error = catching(() => bench.session().sessionId);
    expect(isSessionError(error, 'SESSION_NOT_STARTED')).toBe(true);
    expect(error).toMatchObject({ adapter: 'openai', message: expect.stringContaining('getSessionId()') });
  });

  it('can be given and set', async () => {
    const [first, second] = [bench.conversationOf(1), bench.conversationOf(2)];
    const session = bench.session({ conversationId: first });
    expect(session.sessionId).toBe(first);
    session.sessionId = second;
    expect(await session.getSessionId()).toBe(second);
    expect(await session.getItems()).toHaveLength(2);
    expect(bench.asked()).toEqual(['items.list']);
  });

  it.each(['', 7, null, { $ne: null }])('is refused if it is %j', (conversationId) => {
    const options = { conversationId: conversationId as string };
    expect(
      isSessionError(
        catching(() => bench.session(options)),
        'INVALID_SESSION_ID',
      ),
    ).toBe(true);
    const session = bench.session();
    const setting = catching(() => {
      session.sessionId = conversationId as string;
    });
    expect(isSessionError(setting, 'INVALID_SESSION_ID')).toBe(true);
  });

  it('comes from startOpenAIConversationsSession too', async () => {
    const conversationId = await startOpenAIConversationsSession(bench.client);
    expect(await bench.session({ conversationId }).getItems()).toEqual([]);
  });
});

describe('CONV-3: reading', () => {
  it('without a limit is ascending, every page', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(45) });
    const items = await session.getItems();
    expect(items.map(textOf)).toEqual(names(0, 45));
    const queries = bench.api.requests.all().map(({ query }) => query);
    expect(queries).toEqual([
      { order: 'asc' },
      { order: 'asc', after: expect.any(String) },
      { order: 'asc', after: expect.any(String) },
    ]);
  });

  it.each([
    [1, 1],
    [20, 1],
    [21, 2],
    [45, 3],
    [46, 3],
    [150, 3],
  ])('of %i is descending, %i pages, cut off and reversed', async (limit, pages) => {
    const session = bench.session({ conversationId: bench.conversationOf(45) });
    expect((await session.getItems(limit)).map(textOf)).toEqual(names(Math.max(0, 45 - limit), 45));
    const requests = bench.api.requests.all();
    expect(requests).toHaveLength(pages);
    for (const { query } of requests) {
      expect(query.order).toBe('desc');
      expect(query).not.toHaveProperty('limit');
    }
  });

  it('takes the default limit, and no other than a whole number', async () => {
    const session = bench.session({
      conversationId: bench.conversationOf(5),
      sessionSettings: { limit: 2 },
    });
    expect((await session.getItems()).map(textOf)).toEqual(['m3', 'm4']);
    expect((await session.getItems(3)).map(textOf)).toEqual(names(2, 5));
    expect((await session.getItems(Number.POSITIVE_INFINITY)).map(textOf)).toEqual(names(0, 5));
    for (const limit of [Number.NaN, 1.5, '3' as unknown as number]) {
      expect(isSessionError(await thrown(session.getItems(limit)), 'INVALID_LIMIT')).toBe(true);
    }
    expect(isSessionError(catching(() => bench.session({ sessionSettings: { limit: 0.5 } })))).toBe(true);
  });

  it('gives what the API sent, and no more', async () => {
    const session = bench.session();
    await session.addItems([message('a')]);
    const stored = bench.api.conversations.peek(session.sessionId)!.items;
    const sent = [{ ...stored[0], of_next_year: { a: [1] } }];
    bench.api.faults.order('items.list', { kind: 'alter', change: (list) => ({ ...list, data: sent }) });
    expect(await session.getItems()).toEqual(sent);
  });

  it('asks for what it was told to include', async () => {
    const session = bench.session({
      conversationId: bench.conversationOf(1),
      include: ['reasoning.encrypted_content'],
    });
    await session.getItems();
    const [request] = bench.api.requests.all('items.list');
    expect(Object.values(request!.query)).toContain('reasoning.encrypted_content');
  });

  it.each([undefined, 30])('never takes a page that leads nowhere for the end (limit %s)', async (limit) => {
    const session = bench.session({ conversationId: bench.conversationOf(25) });
    const empty = { data: [], has_more: true, last_id: '' };
    bench.api.faults.order(
      'items.list',
      { kind: 'alter', change: (list) => ({ ...list, ...empty }) },
      { skip: 1 },
    );
    expect(isSessionError(await thrown(session.getItems(limit)), 'UNAVAILABLE')).toBe(true);
    bench.api.faults.order('items.list', { kind: 'alter', change: (list) => ({ ...list, last_id: '' }) });
    expect(await session.getItems(limit)).toHaveLength(25);
  });

  it('goes on from the page that it has, though items come and go meanwhile', async () => {
    const conversationId = bench.conversationOf(40);
    const session = bench.session({ conversationId });
    const conversation = bench.api.conversations.peek(conversationId)!;
    const run = () => {
      bench.api.conversations.add(conversation, [message('late')]);
      conversation.items.splice(5, 1);
    };
    bench.api.faults.order('items.list', { kind: 'meanwhile', run }, { skip: 1 });
    expect((await session.getItems(30)).map(textOf)).toEqual(names(10, 40));
  });
});

describe('CONV-4: writing', () => {
  const sizes = () =>
    bench.api.requests.all('items.create').map(({ body }) => (body as { items: unknown[] }).items.length);

  it.each([
    [1, [1]],
    [20, [20]],
    [21, [20, 1]],
    [45, [20, 20, 5]],
  ])('%i items are %j', async (count, expected) => {
    const session = bench.session();
    await session.addItems(messages(count));
    expect(sizes()).toEqual(expected);
    expect((await session.getItems()).map(textOf)).toEqual(names(0, count));
  });

  it('does not part reasoning from what follows it', async () => {
    const session = bench.session();
    const thought: ResponseInputItem = { type: 'reasoning', id: 'rs_1', summary: [] };
    await session.addItems([...messages(19), thought, { role: 'assistant', content: 'So.' }]);
    expect(sizes()).toEqual([19, 2]);
  });

  it('of one request keeps the client’s retries', async () => {
    const session = bench.session({ client: bench.clientWith({ maxRetries: 2 }) });
    bench.api.faults.order('items.create', { kind: 'fail' });
    await session.addItems(messages(20));
    expect(sizes()).toEqual([20, 20]);
    expect(bench.stored(session.sessionId)).toHaveLength(20);
  });

  it('of several has retries off: what failed is not sent again, nor what follows', async () => {
    const session = bench.session({ client: bench.clientWith({ maxRetries: 2 }) });
    bench.api.faults.order('items.create', { kind: 'fail', status: 503 }, { skip: 1 });
    const error = await thrown(session.addItems(messages(45)));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(sizes()).toEqual([20, 20]);
    expect(bench.stored(session.sessionId)).toEqual(names(0, 20));
  });

  it('throws the very object that the client threw', async () => {
    const session = bench.session();
    await session.getSessionId();
    const caught: unknown[] = [];
    const { items } = bench.client.conversations;
    const create = items.create.bind(items);
    items.create = ((...args: Parameters<typeof create>) => {
      const work = create(...args);
      work.catch((error: unknown) => caught.push(error));
      return work;
    }) as typeof items.create;
    for (const count of [1, 21]) {
      bench.api.faults.order('items.create', { kind: 'fail' });
      expect(await thrown(session.addItems(messages(count)))).toBe(caught.at(-1));
    }
    expect(caught).toHaveLength(2);
  });

  it('of several waits for the one under way when it is cancelled, and sends no more', async () => {
    const session = bench.session();
    const giveUp = new AbortController();
    const reason = new Error('enough');
    bench.api.faults.order(
      'items.create',
      { kind: 'meanwhile', run: () => giveUp.abort(reason) },
      { skip: 1 },
    );
    expect(await thrown(session.addItems(messages(45), { signal: giveUp.signal }))).toBe(reason);
    expect(bench.stored(session.sessionId)).toEqual(names(0, 40));
    expect(sizes()).toEqual([20, 20]);
  });

  it('of several that is cancelled rejects with the reason even if the request fails', async () => {
    const session = bench.session();
    await session.getSessionId();
    const giveUp = new AbortController();
    bench.api.faults.order('items.create', {
      kind: 'meanwhile',
      run() {
        giveUp.abort('enough');
        throw new Error('no');
      },
    });
    expect(await thrown(session.addItems(messages(21), { signal: giveUp.signal }))).toBe('enough');
    expect(sizes()).toEqual([20]);
  });

  it('of one passes the signal on', async () => {
    const session = bench.session();
    await session.getSessionId();
    const giveUp = new AbortController();
    const reason = new Error('enough');
    bench.api.faults.order('items.create', { kind: 'hang' });
    const adding = thrown(session.addItems([message('a')], { signal: giveUp.signal }));
    await expect.poll(() => bench.api.requests.all('items.create')).toHaveLength(1);
    giveUp.abort(reason);
    expect(await adding).toBe(reason);
    await session.addItems([message('b')]);
    expect(bench.stored(session.sessionId)).toEqual(['b']);
  });

  it('keeps what the items were when they were given', async () => {
    const session = bench.session();
    const item = { role: 'user' as const, content: 'before' };
    const items = [item];
    const adding = session.addItems(items);
    item.content = 'after';
    items.push({ role: 'user', content: 'more' });
    await adding;
    expect(bench.stored(session.sessionId)).toEqual(['before']);
  });
});

describe('CONV-5: popping', () => {
  it('reads the newest and deletes it', async () => {
    const conversationId = bench.conversationOf(3);
    const session = bench.session({ conversationId });
    expect(textOf(await session.popItem())).toBe('m2');
    expect(bench.asked()).toEqual(['items.list', 'items.delete']);
    expect(bench.stored(conversationId)).toEqual(['m0', 'm1']);
  });

  it('finds nothing in an empty conversation', async () => {
    expect(await bench.session().popItem()).toBeUndefined();
    expect(bench.asked()).toEqual(['conversations.create', 'items.list']);
  });

  it('gives each caller of one instance another item', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(40) });
    const popped = await Promise.all(Array.from({ length: 41 }, () => session.popItem()));
    expect(popped.at(-1)).toBeUndefined();
    expect(popped.slice(0, 40).map(textOf)).toEqual(names(0, 40).reverse());
  });

  it('keeps the order in which the calls of one instance were made', async () => {
    const session = bench.session();
    const [, first, , second, rest] = await Promise.all([
      session.addItems(messages(2)),
      session.popItem(),
      session.addItems([message('a')]),
      session.popItem(),
      session.getItems(),
    ]);
    expect([first, second].map(textOf)).toEqual(['m1', 'a']);
    expect(rest.map(textOf)).toEqual(['m0']);
  });
});

describe('CONV-6: clearing', () => {
  it('deletes the conversation and forgets its id', async () => {
    const conversationId = bench.conversationOf(1);
    const session = bench.session({ conversationId });
    await session.clearSession();
    expect(bench.asked()).toEqual(['conversations.delete']);
    expect(bench.api.conversations.peek(conversationId)).toBeUndefined();
    expect(
      isSessionError(
        catching(() => session.sessionId),
        'SESSION_NOT_STARTED',
      ),
    ).toBe(true);
    expect(await session.getItems()).toEqual([]);
    expect(session.sessionId).not.toBe(conversationId);
  });

  it('keeps the id when it failed', async () => {
    const conversationId = bench.conversationOf(1);
    const session = bench.session({ conversationId });
    bench.api.faults.order('conversations.delete', { kind: 'fail' });
    await expect(session.clearSession()).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    expect(session.sessionId).toBe(conversationId);
    await session.clearSession();
  });

  it('keeps an id that was set meanwhile', async () => {
    const [first, second] = [bench.conversationOf(1), bench.conversationOf(2)];
    const session = bench.session({ conversationId: first });
    const run = () => {
      session.sessionId = second;
    };
    bench.api.faults.order('conversations.delete', { kind: 'meanwhile', run });
    await session.clearSession();
    expect(session.sessionId).toBe(second);
    expect(bench.stored(second)).toHaveLength(2);
  });

  it('waits for the delete when it is cancelled', async () => {
    const conversationId = bench.conversationOf(1);
    const session = bench.session({ conversationId });
    const giveUp = new AbortController();
    bench.api.faults.order('conversations.delete', { kind: 'meanwhile', run: () => giveUp.abort('enough') });
    expect(await thrown(session.clearSession({ signal: giveUp.signal }))).toBe('enough');
    expect(bench.api.conversations.peek(conversationId)).toBeUndefined();
    expect(
      isSessionError(
        catching(() => session.sessionId),
        'SESSION_NOT_STARTED',
      ),
    ).toBe(true);
  });

  it('succeeds for a conversation that is gone already (CLR-4), also by its own lost reply', async () => {
    const session = bench.session({ conversationId: 'conv_unknown' });
    await session.clearSession();
    const again = bench.session({
      conversationId: bench.conversationOf(1),
      client: bench.clientWith({ maxRetries: 1 }),
    });
    bench.api.faults.order('conversations.delete', { kind: 'lose reply' });
    await again.clearSession();
    expect(bench.api.conversations.all()).toEqual([]);
  });
});

describe('the life of an instance', () => {
  it('ends with close(): what waits rejects, what is being written is waited for (LIFE-2)', async () => {
    const session = bench.session();
    await session.getSessionId();
    const closing = Promise.withResolvers<void>();
    const run = () => {
      closing.resolve(session.close());
      return pause(100);
    };
    bench.api.faults.order('items.create', { kind: 'meanwhile', run });
    const adding = session.addItems([message('a')]);
    const reading = thrown(session.getItems());
    await closing.promise;
    expect(bench.stored(session.sessionId)).toEqual(['a']);
    await adding;
    expect(isSessionError(await reading, 'CLOSED')).toBe(true);
    for (const work of [
      session.getItems(0),
      session.addItems([]),
      session.popItem(),
      session.clearSession(),
      session.getSessionId(),
    ]) {
      expect(isSessionError(await thrown(work), 'CLOSED')).toBe(true);
    }
    await session.close();
  });

  it('ends a read that hangs', async () => {
    await using session = bench.session({ conversationId: bench.conversationOf(1) });
    bench.api.faults.order('items.list', { kind: 'hang' });
    const reading = thrown(session.getItems());
    await expect.poll(() => bench.api.requests.all('items.list')).toHaveLength(1);
    await session.close();
    expect(isSessionError(await reading, 'CLOSED')).toBe(true);
  });

  it('sends no more of a write of several requests once it is closed', async () => {
    const session = bench.session();
    await session.getSessionId();
    bench.api.faults.order('items.create', { kind: 'meanwhile', run: () => void session.close() });
    expect(isSessionError(await thrown(session.addItems(messages(45))), 'CLOSED')).toBe(true);
    expect(bench.stored(session.sessionId)).toEqual(names(0, 20));
  });

  it('begins with a client of the openai package, a format that there is, and no call', () => {
    for (const options of [{ client: {} }, { itemFormat: 'chat' }, { timeoutMs: 0 }] as object[]) {
      const build = () => new OpenAIConversationsSession({ client: bench.client, ...options });
      expect(isSessionError(catching(build), 'INVALID_ARGUMENT')).toBe(true);
    }
    expect(bench.asked()).toEqual([]);
  });
});

function catching(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
