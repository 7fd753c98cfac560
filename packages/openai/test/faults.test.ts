import { isSessionError } from '@sessions/core';
import { OpenAI } from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { OpenAIConversationsSession } from '../src/index.ts';
import { message, messages, names, thrown, useStandIn } from './stand-in.ts';

const bench = useStandIn();

describe('bad input', () => {
  it('no API key: the client’s own error, when the session is built', () => {
    vi.stubEnv('OPENAI_API_KEY', undefined);
    try {
      expect(() => new OpenAIConversationsSession()).toThrow(OpenAI.OpenAIError);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('a key from the environment is enough', () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-the-environment');
    try {
      new OpenAIConversationsSession();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('a wrong key: 401, and nothing is created', async () => {
    const session = bench.session({ client: bench.clientWith({ apiKey: 'sk-wrong' }) });
    const calls = [
      session.getItems(),
      session.addItems([message('a')]),
      session.popItem(),
      session.getSessionId(),
    ];
    for (const error of await Promise.all(calls.map(thrown))) {
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    }
    expect(bench.api.conversations.all()).toEqual([]);
  });

  it('a deleted conversation: 404, but it can be cleared, and then used', async () => {
    const conversationId = bench.conversationOf(1);
    const session = bench.session({ conversationId });
    await bench.client.conversations.delete(conversationId);
    const calls = [session.getItems(), session.addItems([message('a')]), session.popItem()];
    for (const error of await Promise.all(calls.map(thrown))) {
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    }
    expect(session.sessionId).toBe(conversationId);
    await session.clearSession();
    await session.addItems([message('a')]);
    expect(bench.stored(session.sessionId)).toEqual(['a']);
  });

  it('another project’s conversation: 404, and it is left as it is', async () => {
    bench.api.addKey('sk-of-another', 'proj_other');
    const conversationId = bench.conversationOf(1);
    const session = bench.session({ conversationId, client: bench.clientWith({ apiKey: 'sk-of-another' }) });
    const calls = [session.getItems(), session.addItems([message('a')]), session.popItem()];
    for (const error of await Promise.all(calls.map(thrown))) {
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    }
    await session.clearSession();
    expect(bench.stored(conversationId)).toEqual(['m0']);
  });

  it('an id that is a path, a query or a pattern: it reaches no other conversation and no other endpoint (SEC-2)', async () => {
    const other = bench.conversationOf(1);
    const ids = [
      `x/../${other}`,
      `${other}/items`,
      `${other}?limit=1`,
      `${other}#`,
      '..',
      '%2e%2e',
      'conv_*',
      `${other}\0`,
    ];
    for (const conversationId of ids) {
      const session = bench.session({ conversationId });
      await expect(session.getItems(), conversationId).rejects.toBeInstanceOf(OpenAI.OpenAIError);
      await expect(session.addItems([message('a')]), conversationId).rejects.toBeInstanceOf(
        OpenAI.OpenAIError,
      );
      await session
        .clearSession()
        .catch((error: unknown) => expect(error).toBeInstanceOf(OpenAI.OpenAIError));
    }
    expect(bench.stored(other)).toEqual(['m0']);
    const operations = bench.asked().filter((operation) => operation !== undefined);
    expect(new Set(operations)).toEqual(new Set(['items.list', 'items.create', 'conversations.delete']));
  });

  it('an item that the API does not take: its 400, and nothing of the request is saved', async () => {
    const session = bench.session();
    const items = [message('a'), { ...message('b'), model: 'c' } as never];
    expect(await thrown(session.addItems(items))).toBeInstanceOf(OpenAI.BadRequestError);
    expect(bench.stored(session.sessionId)).toEqual([]);
  });

  it('an item that JSON cannot say: refused before anything is sent', async () => {
    const values = [
      1n,
      Number.NaN,
      new Date(0),
      new Uint8Array(1),
      new Map(),
      [undefined],
      () => 1,
      Symbol('a'),
    ];
    const session = bench.session();
    for (const value of values) {
      const error = await thrown(
        session.addItems([message('a'), { ...message('b'), deep: [{ value }] } as never]),
      );
      expect(isSessionError(error, 'INVALID_ITEM')).toBe(true);
      expect(error).toMatchObject({
        index: 1,
        adapter: 'openai',
        path: expect.stringContaining('.deep[0].value'),
      });
    }
    const left = { ...message('a'), value: undefined } as never;
    await session.addItems([left]);
    expect(bench.asked()).toEqual(['conversations.create', 'items.create']);
  });

  it('an item of the Agents SDK’s that the API has no form for: refused before anything is sent', async () => {
    const session = bench.agentSession();
    const items = [
      { role: 'user', content: 'a' },
      { role: 'user', content: [{ type: 'audio', audio: 'SECRET' }] },
    ] as const;
    const error = await thrown(session.addItems(items as never));
    expect(error).toMatchObject({ code: 'INVALID_ITEM', index: 1, path: '.content[0]' });
    expect(String(error)).not.toContain('SECRET');
    expect(bench.asked()).toEqual([]);
  });

  it('nothing but reasoning that cannot be kept: no request at all', async () => {
    const session = bench.agentSession();
    await session.addItems([{ type: 'reasoning', content: [] }]);
    expect(bench.asked()).toEqual([]);
  });
});

describe('rate limits', () => {
  it('are waited out by the client where it may send again', async () => {
    const session = bench.session({ client: bench.clientWith({ maxRetries: 1 }) });
    bench.api.faults.order('items.create', { kind: 'rate limit', retryAfter: 1 });
    await session.addItems([message('a')]);
    expect(bench.stored(session.sessionId)).toEqual(['a']);
  });

  it('end a write of several requests where they come, and say how long to wait', async () => {
    const session = bench.session({ client: bench.clientWith({ maxRetries: 1 }) });
    bench.api.faults.order('items.create', { kind: 'rate limit', retryAfter: 7 }, { skip: 1 });
    const error = await thrown(session.addItems(messages(45)));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect((error as InstanceType<typeof OpenAI.RateLimitError>).headers?.get('retry-after')).toBe('7');
    expect(bench.stored(session.sessionId)).toEqual(names(0, 20));
  });
});

describe('a timeout', () => {
  it.each([
    ['hang', 20],
    ['hang after', 40],
  ] as const)('during the 2nd of 3 requests (%s): %i items are saved', async (kind, saved) => {
    const session = bench.session({ client: bench.clientWith({ timeout: 300, maxRetries: 2 }) });
    bench.api.faults.order('items.create', { kind }, { skip: 1 });
    expect(await thrown(session.addItems(messages(45)))).toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
    expect(bench.api.requests.all('items.create')).toHaveLength(2);
    expect(bench.stored(session.sessionId)).toEqual(names(0, saved));
  });

  it('of the session ends a read, and the request with it (FLT-2)', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(1), timeoutMs: 300 });
    bench.api.faults.order('items.list', { kind: 'hang' });
    expect(isSessionError(await thrown(session.getItems()), 'UNAVAILABLE')).toBe(true);
    await expect.poll(() => bench.api.requests.all('items.list')).toMatchObject([{ outcome: 'abandoned' }]);
    expect(await session.getItems()).toHaveLength(1);
  });

  it('of the session ends a write, whose outcome is then unknown', async () => {
    const session = bench.session({ timeoutMs: 300 });
    await session.getSessionId();
    bench.api.faults.order('items.create', { kind: 'hang after' }, { skip: 1 });
    expect(isSessionError(await thrown(session.addItems(messages(45))), 'OUTCOME_UNKNOWN')).toBe(true);
    expect(bench.stored(session.sessionId)).toEqual(names(0, 40));
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  it('before the call: nothing happens', async () => {
    const session = bench.session();
    const signal = AbortSignal.abort(reason);
    const calls = [
      session.getItems(undefined, { signal }),
      session.addItems([message('a')], { signal }),
      session.popItem({ signal }),
      session.clearSession({ signal }),
      session.getSessionId({ signal }),
    ];
    for (const error of await Promise.all(calls.map(thrown))) expect(error).toBe(reason);
    expect(bench.asked()).toEqual([]);
  });

  it('while it waits for its turn: nothing happens', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(1) });
    const giveUp = new AbortController();
    bench.api.faults.order('items.list', { kind: 'meanwhile', run: () => giveUp.abort(reason) });
    const reading = session.getItems();
    const adding = thrown(session.addItems([message('a')], { signal: giveUp.signal }));
    expect(await adding).toBe(reason);
    await reading;
    expect(bench.asked()).toEqual(['items.list']);
  });

  it('while the conversation is created: no item is sent', async () => {
    const session = bench.session();
    const giveUp = new AbortController();
    bench.api.faults.order('conversations.create', { kind: 'meanwhile', run: () => giveUp.abort(reason) });
    expect(await thrown(session.addItems([message('a')], { signal: giveUp.signal }))).toBe(reason);
    expect(bench.asked()).toEqual(['conversations.create']);
    expect(bench.stored(session.sessionId)).toEqual([]);
  });

  it('during a read: the request is aborted, and no other page asked for', async () => {
    const session = bench.session({ conversationId: bench.conversationOf(25) });
    const giveUp = new AbortController();
    bench.api.faults.order('items.list', { kind: 'hang' });
    const reading = thrown(session.getItems(undefined, { signal: giveUp.signal }));
    await expect.poll(() => bench.api.requests.all('items.list')).toHaveLength(1);
    giveUp.abort(reason);
    expect(await reading).toBe(reason);
    await expect.poll(() => bench.api.requests.all('items.list')).toMatchObject([{ outcome: 'abandoned' }]);
    expect(bench.asked()).toEqual(['items.list']);
  });

  it('between the read and the delete of a pop: nothing is deleted', async () => {
    const conversationId = bench.conversationOf(2);
    const session = bench.session({ conversationId });
    const giveUp = new AbortController();
    bench.api.faults.order('items.list', { kind: 'meanwhile', run: () => giveUp.abort(reason) });
    expect(await thrown(session.popItem({ signal: giveUp.signal }))).toBe(reason);
    expect(bench.asked()).toEqual(['items.list']);
    expect(bench.stored(conversationId)).toEqual(['m0', 'm1']);
  });

  it('during the delete of a pop: it is waited for', async () => {
    const conversationId = bench.conversationOf(2);
    const session = bench.session({ conversationId });
    const giveUp = new AbortController();
    bench.api.faults.order('items.delete', { kind: 'meanwhile', run: () => giveUp.abort(reason) });
    expect(await thrown(session.popItem({ signal: giveUp.signal }))).toBe(reason);
    expect(bench.stored(conversationId)).toEqual(['m0']);
  });
});

describe('a lost reply', () => {
  it('to one request that the client sends again: the items are there twice, for the API has no key for that', async () => {
    const session = bench.session({ client: bench.clientWith({ maxRetries: 1 }) });
    bench.api.faults.order('items.create', { kind: 'lose reply' });
    await session.addItems([message('a')]);
    expect(bench.stored(session.sessionId)).toEqual(['a', 'a']);
  });

  it('to one of several requests: nothing is sent again, and the error says that it is not known', async () => {
    const session = bench.session({ client: bench.clientWith({ maxRetries: 1 }) });
    bench.api.faults.order('items.create', { kind: 'lose reply' }, { skip: 1 });
    expect(await thrown(session.addItems(messages(45)))).toBeInstanceOf(OpenAI.APIConnectionError);
    expect(bench.stored(session.sessionId)).toEqual(names(0, 40));
  });

  it('to the delete of a pop that the client sends again: 404, and one item is gone', async () => {
    const conversationId = bench.conversationOf(2);
    const session = bench.session({ conversationId, client: bench.clientWith({ maxRetries: 1 }) });
    bench.api.faults.order('items.delete', { kind: 'lose reply' });
    expect(await thrown(session.popItem())).toBeInstanceOf(OpenAI.NotFoundError);
    expect(bench.stored(conversationId)).toEqual(['m0']);
  });
});
