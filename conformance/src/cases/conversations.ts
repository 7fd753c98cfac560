import { setTimeout as pause } from 'node:timers/promises';
import type { ConversationsApi, ConversationsOperation } from '../apis/conversations-api.ts';
import type { Bench } from '../bench.ts';
import { type ConformanceCase, promise } from '../case.ts';
import { failure, holds, refused, same, underWay } from '../check.ts';
import type { ConversationsClient, ConversationsSession } from '../conversations.ts';
import { apiMessages } from '../items.ts';

/** One case that needs a session over the Conversations API. */
function converses(
  clause: `CONV-${number}`,
  title: string,
  run: (bench: Bench) => Promise<void>,
): ConformanceCase {
  return promise(clause, title, run, 'conversations');
}

/** How long a request takes in whose midst something happens, in milliseconds. */
const SLOW_MS = 50;

/** How long one takes that is not to be waited for, in milliseconds. */
const LONG_MS = 2_000;

function words(from: number, to: number): string[] {
  return apiMessages(from, to).map(({ content }) => content);
}

/** What items say, whether the content is a text or in parts. */
function wordsOf(items: readonly unknown[] = []): string[] {
  return items.map((item) => {
    const { content } = Object(item) as { content?: string | { text: string }[] };
    return Array.isArray(content) ? content.map(({ text }) => text).join('') : String(content);
  });
}

/** How many items there were in each request that added some. */
function sizes(api: ConversationsApi): number[] {
  return api.requests.filter(({ operation }) => operation === 'add items').map(({ items }) => items.length);
}

/** Something happens in the midst of the nth request of an operation, which takes a while. */
function during(
  api: ConversationsApi,
  wanted: ConversationsOperation,
  act: () => unknown = () => undefined,
  { nth = 1, slowMs = SLOW_MS }: { nth?: number; slowMs?: number } = {},
): void {
  let count = 0;
  api.meanwhile = async ({ operation }) => {
    if (operation !== wanted || ++count !== nth) return;
    act();
    await pause(slowMs);
  };
}

/** The nth request of an operation fails. */
function failing(api: ConversationsApi, wanted: ConversationsOperation, status = 500, nth = 1): void {
  let count = 0;
  api.fault = ({ operation }) => (operation === wanted && ++count === nth ? status : undefined);
}

/** What the client throws when it adds items. */
function thrownBy({ conversations }: ConversationsClient): unknown[] {
  const thrown: unknown[] = [];
  const items = conversations.items as { create(...given: unknown[]): PromiseLike<unknown> };
  const create = items.create.bind(items);
  items.create = (...given) => {
    const adding = create(...given);
    adding.then(undefined, (error: unknown) => thrown.push(error));
    return adding;
  };
  return thrown;
}

/** The calls that need a conversation. */
const NEEDING: readonly [name: string, call: (session: ConversationsSession) => Promise<unknown>][] = [
  ['getItems()', (session) => session.getItems()],
  ['getItems(1)', (session) => session.getItems(1)],
  ['addItems([item])', (session) => session.addItems(apiMessages(0, 1))],
  ['popItem()', (session) => session.popItem()],
  ['getSessionId()', (session) => session.getSessionId()],
];

export const conversationsCases: ConformanceCase[] = [
  ...NEEDING.map(([name, call]) =>
    converses(
      'CONV-1',
      `an unused session creates a conversation for ${name}, and no other`,
      async (bench) => {
        const { session, api } = await bench.conversing();
        await call(session);
        same(api.asked()[0], 'create', 'The conversation is created first');
        await call(session);
        same(api.asked().includes('create'), false, 'It is there the second time');
        same(api.ids, [session.sessionId], 'Of the conversations the session’s is the only one');
      },
    ),
  ),

  converses('CONV-1', 'an unused session asks nothing where nothing is needed', async (bench) => {
    const { session, api } = await bench.conversing({ sessionSettings: { limit: 0 } });
    await session.addItems([]);
    await session.clearSession();
    same(await session.getItems(), [], 'getItems(), the default limit being 0');
    for (const limit of [0, -1, Number.NEGATIVE_INFINITY]) {
      same(await session.getItems(limit), [], `getItems(${limit})`);
    }
    same(api.asked(), [], 'Requests made');
  }),

  converses('CONV-1', '25 first callers wait for one creation', async (bench) => {
    const { session, api } = await bench.conversing();
    during(api, 'create');
    const calls = Array.from({ length: 25 }, (_, at) => NEEDING[at % NEEDING.length]![1](session));
    await Promise.all(calls);
    same(api.ids, [session.sessionId], 'Conversations there are');
    same(api.asked().filter((operation) => operation === 'create').length, 1, 'Creations asked for');
  }),

  converses('CONV-1', 'a creation that failed is tried again by the next caller', async (bench) => {
    const { session, api } = await bench.conversing();
    failing(api, 'create');
    const [first, second] = underWay<unknown>(session.getItems(), session.addItems(apiMessages(0, 1)));
    await failure(first!, 'The call whose creation failed');
    await second;
    same(wordsOf(api.items(await session.getSessionId())), ['m0'], 'What the next caller added');
    same(api.ids.length, 1, 'Conversations there are');
  }),

  converses('CONV-2', 'the id is not to be had before there is a conversation', async (bench) => {
    const { session, api } = await bench.conversing();
    await refused(() => session.sessionId, 'SESSION_NOT_STARTED', 'sessionId of an unused session');
    const id = await session.getSessionId();
    same(session.sessionId, id, 'sessionId afterwards');
    same(api.ids, [id], 'It is the conversation’s');
  }),

  converses('CONV-2', 'the id can be given and set', async (bench) => {
    const { session, api } = await bench.conversing({}, 2);
    const [given] = api.ids;
    same(session.sessionId, given, 'The id given');
    same(wordsOf(await session.getItems()), words(0, 2), 'Its items');
    const other = api.begin(apiMessages(5, 8));
    session.sessionId = other;
    same(session.sessionId, other, 'The id set');
    same(await session.getSessionId(), other, 'getSessionId()');
    same(wordsOf(await session.getItems()), words(5, 8), 'The items of that conversation');
    same(wordsOf(api.items(given!)), words(0, 2), 'The other is left as it is');
  }),

  converses('CONV-2', 'an id that is set on an unused session is used', async (bench) => {
    const { session, api } = await bench.conversing();
    const id = api.begin(apiMessages(0, 1));
    session.sessionId = id;
    await session.addItems(apiMessages(1, 2));
    same(wordsOf(api.items(id)), words(0, 2), 'The conversation whose id was set');
    same(api.ids, [id], 'No other is created');
  }),

  converses('CONV-3', 'without a limit every page is read, ascending', async (bench) => {
    const { session, api } = await bench.conversing({}, 45);
    same(wordsOf(await session.getItems()), words(0, 45), 'All items, oldest first');
    same(
      api.requests.map(({ query }) => query.order),
      ['asc', 'asc', 'asc'],
      'The order asked for, page by page',
    );
  }),

  ...(
    [
      [1, 1],
      [20, 1],
      [21, 2],
      [45, 3],
      [150, 3],
    ] as const
  ).map(([limit, pages]) =>
    converses('CONV-3', `the newest ${limit} are read descending, no page too many`, async (bench) => {
      const { session, api } = await bench.conversing({}, 45);
      same(
        wordsOf(await session.getItems(limit)),
        words(Math.max(0, 45 - limit), 45),
        'The newest, oldest first',
      );
      const queries = api.requests.map(({ query }) => query);
      same(
        queries.map(({ order }) => order),
        Array(pages).fill('desc'),
        'The order asked for, page by page',
      );
      same(
        queries.filter(({ limit: size }) => size !== undefined),
        [],
        'Page sizes sent',
      );
    }),
  ),

  converses('CONV-3', 'items have the fields that the API sent, and no others', async (bench) => {
    const { session, api } = await bench.conversing({}, 1);
    const [id] = api.ids;
    api.append(id!, [{ type: 'of_next_year', content: null, nested: { a: [1, { b: '' }] }, none: null }]);
    same(await session.getItems(), api.items(id!), 'All');
    same(await session.getItems(2), api.items(id!), 'The newest two');
    const newest = api.items(id!)!.at(-1);
    same(await session.popItem(), newest, 'The newest, popped');
  }),

  ...(
    [
      [1, [1]],
      [20, [20]],
      [21, [20, 1]],
      [45, [20, 20, 5]],
    ] as const
  ).map(([count, expected]) =>
    converses('CONV-4', `${count} items are sent in order, at most 20 a request`, async (bench) => {
      const { session, api } = await bench.conversing({}, 0);
      during(api, 'add items');
      await session.addItems(apiMessages(0, count));
      same(sizes(api), expected, 'Items a request');
      same(wordsOf(api.items(session.sessionId)), words(0, count), 'What is stored');
    }),
  ),

  converses('CONV-4', 'a write of one request keeps the client’s retries', async (bench) => {
    const { session, api } = await bench.conversing({ maxRetries: 2 }, 0);
    failing(api, 'add items');
    await session.addItems(apiMessages(0, 20));
    same(wordsOf(api.items(session.sessionId)), words(0, 20), 'What is stored');
    same(sizes(api), [20, 20], 'Requests');
  }),

  ...([1, 2] as const).map((nth) =>
    converses(
      'CONV-4',
      `when request ${nth} of 3 fails, nothing is sent again or after it`,
      async (bench) => {
        const { session, api } = await bench.conversing({ maxRetries: 2 }, 0);
        failing(api, 'add items', 503, nth);
        await failure(session.addItems(apiMessages(0, 45)), 'A write of which one request fails');
        same(sizes(api), Array(nth).fill(20), 'Requests');
        same(wordsOf(api.items(session.sessionId)), words(0, (nth - 1) * 20), 'What is stored');
      },
    ),
  ),

  ...([1, 21] as const).map((count) =>
    converses(
      'CONV-4',
      `the client’s own error comes through, the same object (${count} items)`,
      async (bench) => {
        const { session, api, client } = await bench.conversing({}, 0);
        const thrown = thrownBy(client);
        failing(api, 'add items', 403);
        const error = await failure(session.addItems(apiMessages(0, count)), 'A write that fails');
        same(thrown.length, 1, 'Errors that the client threw');
        holds(error === thrown[0], 'It is the error that the client threw', error);
      },
    ),
  ),

  ...([200, 500] as const).map((status) =>
    converses(
      'CONV-4',
      `a write of several requests that is cancelled waits for the one under way (which ${status === 200 ? 'succeeds' : 'fails'})`,
      async (bench) => {
        const { session, api } = await bench.conversing({}, 0);
        const giveUp = new AbortController();
        const reason = new Error('enough');
        during(api, 'add items', () => giveUp.abort(reason), { nth: 2 });
        if (status !== 200) failing(api, 'add items', status, 2);
        const error = await failure(
          session.addItems(apiMessages(0, 45), { signal: giveUp.signal }),
          'A write that is cancelled',
        );
        holds(error === reason, 'The signal’s reason is thrown', error);
        const saved = status === 200 ? 40 : 20;
        same(wordsOf(api.items(session.sessionId)), words(0, saved), 'What is stored by then');
        await pause(SLOW_MS);
        same(sizes(api), [20, 20], 'Requests');
        same(
          api.requests.filter(({ outcome }) => outcome === 'abandoned').length,
          0,
          'Requests that were not waited for',
        );
      },
    ),
  ),

  converses('CONV-4', 'a write of one request passes the signal on', async (bench) => {
    const { session, api } = await bench.conversing({}, 0);
    const giveUp = new AbortController();
    const reason = new Error('enough');
    during(api, 'add items', () => giveUp.abort(reason), { slowMs: LONG_MS });
    const [adding] = underWay(session.addItems(apiMessages(0, 1), { signal: giveUp.signal }));
    const error = await failure(adding!, 'A write that is cancelled');
    holds(error === reason, 'The signal’s reason is thrown', error);
    const request = api.requests.at(-1)!;
    while (request.outcome === 'open') await pause(10);
    same(request.outcome, 'abandoned', 'What became of the request');
    await session.addItems(apiMessages(1, 2));
    same(wordsOf(api.items(session.sessionId)), ['m1'], 'What is stored after another write');
  }),

  converses('CONV-5', 'a pop reads the newest item and deletes it by its id', async (bench) => {
    const { session, api } = await bench.conversing({}, 45);
    const [id] = api.ids;
    during(api, 'delete item', () => api.append(id!, apiMessages(90, 91)));
    same(wordsOf([await session.popItem()]), ['m44'], 'The newest when it was read');
    same(api.asked(), ['list items', 'delete item'], 'Requests');
    same(wordsOf(api.items(id!)), [...words(0, 44), 'm90'], 'What is left, and what came meanwhile');
  }),

  converses('CONV-5', 'an empty conversation gives nothing, and nothing is deleted', async (bench) => {
    const { session, api } = await bench.conversing({}, 0);
    same(await session.popItem(), undefined, 'The newest of none');
    same(api.asked(), ['list items'], 'Requests');
  }),

  converses('CONV-5', 'of 10 pops at once through one instance each gives another item', async (bench) => {
    const { session, api } = await bench.conversing({}, 10);
    during(api, 'delete item');
    const popped = await Promise.all(Array.from({ length: 11 }, () => session.popItem()));
    same(wordsOf(popped.slice(0, 10)), words(0, 10).reverse(), 'Popped, one after another');
    same(popped[10], undefined, 'The pop that found none');
    same(wordsOf(api.items(session.sessionId)), [], 'What is left');
  }),

  converses('CONV-5', 'reads and writes through one instance go one after another', async (bench) => {
    const { session, api } = await bench.conversing({}, 0);
    during(api, 'add items');
    const [, all, popped, , rest] = await Promise.all([
      session.addItems(apiMessages(0, 2)),
      session.getItems(),
      session.popItem(),
      session.addItems(apiMessages(2, 3)),
      session.getItems(),
    ]);
    same(wordsOf(all), ['m0', 'm1'], 'Read after the first write');
    same(wordsOf([popped]), ['m1'], 'Popped');
    same(wordsOf(rest), ['m0', 'm2'], 'Read at the end');
  }),

  converses('CONV-6', 'a clear deletes the conversation and forgets the id', async (bench) => {
    const { session, api } = await bench.conversing({}, 3);
    const [id] = api.ids;
    await session.clearSession();
    same(api.asked(), ['delete'], 'Requests');
    same(api.ids, [], 'Conversations left');
    await refused(() => session.sessionId, 'SESSION_NOT_STARTED', 'sessionId after a clear');
    await session.addItems(apiMessages(5, 6));
    holds(session.sessionId !== id, 'Another conversation is used afterwards', session.sessionId);
    same(wordsOf(await session.getItems()), ['m5'], 'What it holds');
  }),

  converses('CONV-6', 'a clear whose delete fails keeps the id', async (bench) => {
    const { session, api } = await bench.conversing({}, 1);
    const [id] = api.ids;
    failing(api, 'delete');
    await failure(session.clearSession(), 'A clear whose delete fails');
    same(session.sessionId, id, 'The id');
    same(wordsOf(await session.getItems()), ['m0'], 'What the session holds');
    await session.clearSession();
    same(api.ids, [], 'Conversations left when it is tried again');
  }),

  converses('CONV-6', 'an id that was set while a clear was under way is not forgotten', async (bench) => {
    const { session, api } = await bench.conversing({}, 1);
    const other = api.begin(apiMessages(5, 6));
    during(api, 'delete', () => {
      session.sessionId = other;
    });
    await session.clearSession();
    same(api.ids, [other], 'The conversation that was set is there, the other is gone');
    same(session.sessionId, other, 'The id');
    same(wordsOf(await session.getItems()), ['m5'], 'What the session holds');
  }),

  converses('CONV-6', 'a clear that is cancelled waits for the delete, and forgets the id', async (bench) => {
    const { session, api } = await bench.conversing({}, 1);
    const giveUp = new AbortController();
    const reason = new Error('enough');
    during(api, 'delete', () => giveUp.abort(reason));
    const error = await failure(session.clearSession({ signal: giveUp.signal }), 'A clear that is cancelled');
    holds(error === reason, 'The signal’s reason is thrown', error);
    same(api.ids, [], 'Conversations left by then');
    await refused(() => session.sessionId, 'SESSION_NOT_STARTED', 'sessionId after a cancelled clear');
  }),
];
