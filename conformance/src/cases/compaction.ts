import type { OpenAIResponsesCompactionArgs } from '@sessions/core';
import type { AnySession } from '../adapter.ts';
import type { Bench } from '../bench.ts';
import { type ConformanceCase, type Need, promise } from '../case.ts';
import { failure, holds, meanwhile, same, settlesWithin, underWay } from '../check.ts';
import type { CompactingSession } from '../compaction.ts';
import { type CompactionApi, USAGE } from '../compaction-api.ts';
import { asks, calls, gives, says, thinks, turns, wordsOf } from './compaction-items.ts';
import { withEitherDriver } from './either-driver.ts';

/** One case that needs a compacting wrapper. */
function compacts(
  clause: `CMP-${number}`,
  title: string,
  run: (bench: Bench) => Promise<void>,
  ...needs: Need[]
): ConformanceCase {
  return promise(clause, title, run, 'compaction', ...needs);
}

async function history(session: AnySession): Promise<string[]> {
  return wordsOf(await session.getItems(Number.POSITIVE_INFINITY));
}

/** What is left of `turns(count)` by the nth compaction. */
function compacted(count: number, nth = 1): string[] {
  return [...wordsOf(turns(count)).filter((word) => word.startsWith('asks')), `compaction sealed ${nth}`];
}

/** How the history was handed to the API by the only request there was. */
function sourceOf(api: CompactionApi): string {
  same(api.requests.length, 1, 'One request is made');
  const { input, previous_response_id: id } = api.requests[0]!;
  return id === undefined ? `input of ${input?.length}` : `the chain of ${id}${input ? ', and input' : ''}`;
}

/** What somebody may do to a history, and what it leaves of it. */
interface Deed {
  readonly name: string;
  readonly needs: readonly Need[];
  do(session: AnySession): Promise<unknown>;
  left(before: readonly string[]): readonly string[];
}

const REWRITTEN = { type: 'function_call', callId: 'x', name: 'look', arguments: '{"a":1}' } as const;

/** All that takes something away. */
const DROPS: readonly Deed[] = [
  {
    name: 'a pop',
    needs: [],
    do: (session) => session.popItem(),
    left: (before) => before.slice(0, -1),
  },
  {
    name: 'a pop, and more that is added',
    needs: [],
    async do(session) {
      await session.popItem();
      await session.addItems([says('instead'), asks('more'), says('of it')]);
    },
    left: (before) => [...before.slice(0, -1), 'says instead', 'asks more', 'says of it'],
  },
  {
    name: 'a clear',
    needs: [],
    do: (session) => session.clearSession(),
    left: () => [],
  },
  {
    name: 'a clear, and a new conversation',
    needs: [],
    async do(session) {
      await session.clearSession();
      await session.addItems([asks('anew')]);
    },
    left: () => ['asks anew'],
  },
  {
    name: 'a rewrite',
    needs: ['rewrites'],
    do: (session) =>
      session.applyHistoryMutations!({
        mutations: [
          { type: 'replace_function_call', callId: 'x', replacement: { ...REWRITTEN, callId: 'y' } as never },
        ],
      }),
    left: (before) => before.map((word) => (word === 'calls x' ? 'calls y' : word)),
  },
  {
    name: 'a replaced suffix',
    needs: ['transactions'],
    do: (session) =>
      session.applyHistoryTransaction!({
        operationId: 'meanwhile',
        transaction: {
          type: 'replace_suffix',
          expectedSuffix: [says('a3')],
          replacement: [says('otherwise')],
        },
      }),
    left: (before) => [...before.slice(0, -1), 'says otherwise'],
  },
  {
    name: 'a replacement of everything',
    needs: ['replacement'],
    do: (session) => session.replaceHistoryWithCompaction!([asks('all new')]),
    left: () => ['asks all new'],
  },
];

/** By whom something is done while the API is asked. */
const WHO = [
  { by: 'through the same wrapper', of: async (_: Bench, session: CompactingSession) => session },
  { by: 'from elsewhere', of: (bench: Bench, session: CompactingSession) => bench.elsewhere(session) },
] as const;

/** A history with a call and its output in it. */
const START = [asks('q0'), calls('x'), gives('x'), says('a0'), ...turns(4).slice(2)];

/** More replies than any store waits for when a history is replaced. */
const MOST_REPLIES = 4;

/** The longest that a call of the store may take where that is to be seen, in milliseconds, and enough for it. */
const SHORT_MS = 400;
const BOUND_MS = 5_000;

/** How long others go on adding, in milliseconds: while the API answers, and while the history is replaced. */
const ADDING_MS = 100;

const FORCED: OpenAIResponsesCompactionArgs = { force: true };

export const compactionCases: ConformanceCase[] = [
  {
    ...promise('CMP-1', 'a session that does not compact has no method for it', async (bench) => {
      const session = await bench.session();
      same('runCompaction' in session, false, 'runCompaction is absent');
    }),
    without: 'compaction',
  },

  ...(
    [
      ['auto, without an id', {}, 'input of 4'],
      ['auto, with an id', { responseId: 'r' }, 'the chain of r'],
      ['auto, with an id that the API does not keep', { responseId: 'r', store: false }, 'input of 4'],
      ['auto, with an id that it keeps', { responseId: 'r', store: true }, 'the chain of r'],
      ['input, with an id', { responseId: 'r', compactionMode: 'input' }, 'input of 4'],
      [
        'previous_response_id, asked for though it is said not to be kept',
        { responseId: 'r', store: false, compactionMode: 'previous_response_id' },
        'the chain of r',
      ],
    ] as const
  ).map(([name, args, source]) =>
    compacts('CMP-1', `the history is given as the mode says: ${name}`, async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(2));
      await session.runCompaction({ ...args, ...FORCED });
      same(sourceOf(api), source, name);
    }),
  ),

  compacts(
    'CMP-1',
    'the mode of a call wins over that of the wrapper, which wins over auto',
    async (bench) => {
      for (const [args, source] of [
        [{}, 'input of 4'],
        [{ compactionMode: 'auto' }, 'the chain of r'],
        [{ compactionMode: 'previous_response_id' }, 'the chain of r'],
      ] as const) {
        const { session, api } = await bench.compacting({ compactionMode: 'input' });
        await session.addItems(turns(2));
        await session.runCompaction({ responseId: 'r', ...args, ...FORCED });
        same(sourceOf(api), source, `input of the wrapper's, ${JSON.stringify(args)} of the call's`);
      }
    },
  ),

  compacts('CMP-1', 'that responses are not kept is remembered until it is said otherwise', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(2));
    same(await session.runCompaction({ responseId: 'r1', store: false }), null, 'Not due');
    await session.runCompaction({ responseId: 'r2', ...FORCED });
    same(sourceOf(api), 'input of 4', 'Not said again');
    await session.addItems(turns(2));
    await session.runCompaction({ responseId: 'r3', store: true, ...FORCED });
    same(api.requests[1]?.previous_response_id, 'r3', 'Said otherwise');
  }),

  compacts('CMP-1', 'an id is remembered, and stands for what was there when it was given', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(2));
    same(await session.runCompaction({ responseId: 'r' }), null, 'Not due');
    await session.addItems([asks('since')]);
    await session.runCompaction(FORCED);
    same(sourceOf(api), 'the chain of r', 'Of the last response');
    const left = await history(session);
    same(
      left.slice(-2),
      ['compaction sealed 1', 'asks since'],
      'What its chain does not hold is still there',
    );
  }),

  compacts('CMP-1', 'there is no going by an id that nobody gave', async (bench) => {
    const { session, api } = await bench.compacting({ compactionMode: 'previous_response_id' });
    await session.addItems(turns(10));
    await failure(session.runCompaction(FORCED), 'There is no id');
    same(api.requests.length, 0, 'No request is made');
    same(await history(session), wordsOf(turns(10)), 'Unchanged');
  }),

  compacts(
    'CMP-1',
    'ten candidates are enough and nine are not, questions and compactions left out',
    async (bench) => {
      const { session, api } = await bench.compacting();
      const others = Array.from({ length: 10 }, (_, at) => asks(`alone ${at}`));
      await session.addItems([{ type: 'compaction', encrypted_content: 'old' }, ...others, ...turns(9)]);
      same(await session.runCompaction(), null, 'Nine');
      same(api.requests.length, 0, 'No request is made');
      await session.addItems([says('the tenth')]);
      holds((await session.runCompaction()) !== null, 'Ten');
      same(api.requests.length, 1, 'One request is made');
    },
  ),

  compacts('CMP-1', 'the application may decide from the candidates, unless it is forced', async (bench) => {
    const asked: string[][] = [];
    let isDue = false;
    const { session, api } = await bench.compacting({
      shouldTriggerCompaction(candidates) {
        asked.push(wordsOf(candidates));
        return isDue;
      },
    });
    await session.addItems(turns(12));
    same(await session.runCompaction(), null, 'Decided against');
    await session.runCompaction(FORCED);
    same([asked.length, api.requests.length], [1, 1], 'Forced, it is not asked');
    isDue = true;
    await session.addItems([calls('x'), gives('x')]);
    holds((await session.runCompaction()) !== null, 'Decided for it');
    same(
      asked[0],
      wordsOf(turns(12)).filter((word) => word.startsWith('says')),
      'The candidates',
    );
    same(asked[1], ['calls x', 'gives x'], 'The candidates after a compaction');
  }),

  compacts('CMP-2', 'the whole history is compacted, whatever the default limit', async (bench) => {
    const { session, api } = await bench.compacting({}, { sessionSettings: { limit: 3 } });
    await session.addItems(turns(12));
    holds((await session.runCompaction()) !== null, 'The candidates beyond the limit count');
    same(wordsOf(api.requests[0]?.input), wordsOf(turns(12)), 'All of it is sent');
    same(await history(session), compacted(12), 'All of it is replaced');
    same((await session.getItems()).length, 3, 'Reading has its limit still');
  }),

  compacts('CMP-2', 'a compacted history can be added to and compacted again', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(3));
    await session.runCompaction(FORCED);
    await session.addItems([asks('more'), says('of it')]);
    await session.runCompaction(FORCED);
    same(wordsOf(api.requests[1]?.input), [...compacted(3), 'asks more', 'says of it'], 'All of it is sent');
    same(await history(session), [...compacted(3).slice(0, -1), 'asks more', 'compaction sealed 2'], 'Twice');
  }),

  ...WHO.flatMap(({ by, of }) => [
    compacts(
      'CMP-3',
      `what is appended ${by} while the API is asked follows the compacted items`,
      async (bench) => {
        const { session, api } = await bench.compacting();
        await session.addItems(turns(4));
        const other = await of(bench, session);
        api.meanwhile = async () => {
          await other.addItems([asks('late')]);
          await other.addItems([says('as well'), asks('and more')]);
        };
        await session.runCompaction(FORCED);
        const late = ['asks late', 'says as well', 'asks and more'];
        same(await history(session), [...compacted(4), ...late], 'After the compacted items');
        same(await history(await bench.elsewhere(session)), [...compacted(4), ...late], 'For everybody');
      },
    ),

    ...DROPS.map(({ name, needs, do: act, left }) =>
      compacts(
        'CMP-3',
        `the compaction is dropped after ${name} ${by} while the API is asked`,
        async (bench) => {
          for (const args of [FORCED, { responseId: 'r', ...FORCED }]) {
            const { session, api } = await bench.compacting();
            await session.addItems(START);
            const other = await of(bench, session);
            api.meanwhile = () => act(other);
            await session.runCompaction(args);
            const wanted = left(wordsOf(START));
            same(await history(session), wanted, 'What was done stands, and nothing else is changed');
            same(await history(await bench.elsewhere(session)), wanted, 'For everybody');
            await session.addItems([asks('on')]);
            same(await history(session), [...wanted, 'asks on'], 'The session goes on');
          }
        },
        ...needs,
      ),
    ),
  ]),

  compacts('CMP-3', 'of two compactions at once one holds, and nothing is there twice', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(4));
    const other = bench.compactingOver(await bench.elsewhere(session), api);
    await Promise.all([session.runCompaction(FORCED), other.runCompaction(FORCED)]);
    const left = await history(session);
    const nth = left.at(-1)?.endsWith('2') ? 2 : 1;
    same(left, compacted(4, nth), 'One of the two');
  }),

  compacts('CMP-3', 'what many append while the history is replaced is all there', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(4));
    const others = [session, await bench.elsewhere(session), await bench.elsewhere(session)];
    const added: string[] = [];
    let adding: Promise<unknown> = Promise.resolve();
    api.meanwhile = async () => {
      const end = performance.now() + ADDING_MS;
      [adding = adding] = underWay(
        Promise.all(
          others.map(async (other, who) => {
            for (let at = 0; performance.now() < end; at++) {
              await other.addItems([asks(`${who}.${at}`)]);
              added.push(`asks ${who}.${at}`);
              // A store without a wire would otherwise leave no turn to anybody else.
              await new Promise((resolve) => setImmediate(resolve));
            }
          }),
        ),
      );
    };
    await session.runCompaction(FORCED);
    await adding;
    const left = await history(session);
    same(left.slice(0, 5), compacted(4), 'The compacted items first');
    same(left.slice(5).sort(), added.sort(), 'All that was appended, once');
  }),

  ...(
    [
      ['an error', { status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } } }, true],
      ['an error of the server', { status: 500, body: { error: { message: 'no' } } }, true],
      ['a lost connection', 'cut', true],
      ['no items', { status: 200, body: { id: 'r', output: [], usage: USAGE } }, false],
      ['no output', { status: 200, body: { id: 'r', usage: USAGE } }, false],
      ['nothing but null', { status: 200, body: { id: 'r', output: [null], usage: USAGE } }, false],
    ] as const
  ).map(([name, answer, rejects]) =>
    compacts('CMP-4', `the history stays when the API gives ${name}`, async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(4));
      api.answer = () => answer;
      const compacting = session.runCompaction({ responseId: 'r', ...FORCED });
      if (rejects) await failure(compacting, name);
      else await compacting.catch(() => undefined);
      same(await history(session), wordsOf(turns(4)), 'Unchanged');
      api.answer = () => undefined;
      await session.runCompaction({ compactionMode: 'input', ...FORCED });
      const [last = ''] = (await history(session)).slice(-1);
      holds(last.startsWith('compaction'), 'The next one goes well', last);
    }),
  ),

  compacts('CMP-4', 'whoever reads meanwhile sees the old history or the new one', async (bench) => {
    const { session, api } = await bench.compacting();
    const reader = await bench.elsewhere(session);
    await session.addItems(turns(30));
    const [old, now] = [wordsOf(turns(30)), compacted(30)].map((words) => words.join('\n'));
    api.meanwhile = async () => undefined;
    await meanwhile(session.runCompaction(FORCED), async () => {
      const seen = (await history(reader)).join('\n');
      holds(seen === old || seen === now, 'One of the two', seen);
    });
    same((await history(reader)).join('\n'), now, 'The new one at last');
  }),

  compacts('CMP-4', 'given up before it starts, it does nothing', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(4));
    const reason = new Error('before');
    const signal = AbortSignal.abort(reason);
    same(await failure(session.runCompaction(FORCED, { signal }), 'It is given up'), reason, 'The reason');
    same(api.requests.length, 0, 'No request is made');
    same(await history(session), wordsOf(turns(4)), 'Unchanged');
  }),

  compacts('CMP-4', 'given up while the API is asked, it leaves the old history', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(4));
    const abort = new AbortController();
    const reason = new Error('meanwhile');
    api.answer = () => 'hang';
    api.meanwhile = async () => abort.abort(reason);
    const given = session.runCompaction(FORCED, { signal: abort.signal });
    same(await failure(given, 'It is given up'), reason, 'The reason');
    same(await history(session), wordsOf(turns(4)), 'Unchanged');
    api.answer = () => undefined;
    api.meanwhile = async () => undefined;
    await session.runCompaction(FORCED);
    same(await history(session), compacted(4, 2), 'The next one goes well');
  }),

  compacts('CMP-4', 'given up at any moment, it leaves the old history or the new one', async (bench) => {
    for (let turn = 0; turn < 12; turn++) {
      const { session } = await bench.compacting();
      await session.addItems(turns(4));
      const abort = new AbortController();
      const [compacting] = underWay(session.runCompaction(FORCED, { signal: abort.signal }));
      for (let wait = 0; wait < turn * 2; wait++) await new Promise((resolve) => setImmediate(resolve));
      abort.abort();
      await compacting?.catch(() => undefined);
      const left = (await history(session)).join('\n');
      const isOneOf = [wordsOf(turns(4)), compacted(4)].some((words) => words.join('\n') === left);
      holds(isOneOf, 'One of the two', left);
    }
  }),

  ...withEitherDriver(
    compacts(
      'CMP-4',
      'a reply of the store that is lost while the history is replaced is found again',
      async (bench) => {
        for (let before = 0; before < MOST_REPLIES; before++) {
          const { proxy, connection } = await bench.proxied();
          const { session, api } = await bench.compacting({}, {}, connection);
          await session.addItems(turns(4));
          api.meanwhile = async () => void proxy.loseNextReply(before);
          holds((await session.runCompaction(FORCED)) !== null, 'It succeeds');
          same(await history(await bench.elsewhere(session)), compacted(4), 'Replaced once');
          proxy.pass();
          await session.addItems([asks('on')]);
          same(await history(session), [...compacted(4), 'asks on'], 'The session goes on');
        }
      },
      'wire',
    ),
  ),

  compacts(
    'CMP-4',
    'a store that vanishes while the history is replaced keeps the old one or the new one',
    async (bench) => {
      for (let before = 0; before < MOST_REPLIES; before++) {
        const { proxy, connection } = await bench.proxied();
        const { session, api } = await bench.compacting({}, { timeoutMs: SHORT_MS }, connection);
        await session.addItems(turns(4));
        let lost: Promise<void> | undefined;
        api.meanwhile = async () => {
          if (before === 0) proxy.refuse();
          else lost = proxy.loseNextReply(before - 1);
        };
        const [compacting] = underWay(session.runCompaction(FORCED));
        while (!lost && api.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
        // A store that needs fewer replies is done before.
        await Promise.race([lost, compacting?.catch(() => undefined)]);
        proxy.refuse();
        await settlesWithin(BOUND_MS, compacting!, 'The compaction');
        const outcome = await compacting!.then(
          () => 'done',
          () => 'failed',
        );
        const left = (await history(await bench.elsewhere(session))).join('\n');
        const [old, now] = [wordsOf(turns(4)), compacted(4)].map((words) => words.join('\n'));
        holds(left === now || (left === old && outcome === 'failed'), `${outcome}: one of the two`, left);
      }
    },
    'wire',
  ),

  ...(
    [
      ['a pop', (session: AnySession) => session.popItem()],
      ['a clear', (session: AnySession) => session.clearSession()],
    ] as const
  ).map(([name, act]) =>
    compacts('CMP-5', `${name} makes it forget the last response`, async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(3));
      same(await session.runCompaction({ responseId: 'r' }), null, 'Not due');
      await act(session);
      await session.addItems(turns(3));
      await session.runCompaction(FORCED);
      const [request] = api.requests;
      same(request?.previous_response_id, undefined, 'It does not go by what was taken away');
      same(wordsOf(request?.input).slice(-6), wordsOf(turns(3)), 'What is stored is sent');
      await failure(
        session.runCompaction({ compactionMode: 'previous_response_id', ...FORCED }),
        'There is no id any more',
      );
    }),
  ),

  compacts(
    'CMP-5',
    'reasoning with an id or encrypted content is sent, and none with neither',
    async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems([
        asks('q0'),
        thinks({ id: 'rs_1' }),
        says('a0', { id: 'msg_1' }),
        asks('q1'),
        thinks({ providerData: { encrypted_content: 'sealed' } }),
        says('a1', { id: 'msg_2' }),
        asks('q2'),
        thinks({}),
        says('a2', { id: 'msg_3' }),
      ]);
      await session.runCompaction(FORCED);
      const input = api.requests[0]?.input ?? [];
      same(
        wordsOf(input),
        ['asks q0', 'thinks rs_1', 'says a0', 'asks q1', 'thinks anew', 'says a1', 'asks q2', 'says a2'],
        'What is sent',
      );
      const ids = input.filter(({ role }) => role === 'assistant').map(({ id }) => id);
      same(ids, ['msg_1', 'msg_2', undefined], 'What lost its reasoning loses its id, and nothing else does');
    },
  ),

  compacts('CMP-5', 'nothing is sent where nothing is left to be sent', async (bench) => {
    for (const items of [[], [thinks({})]]) {
      const { session, api } = await bench.compacting();
      await session.addItems(items);
      same(await session.runCompaction(FORCED), null, 'Skipped');
      same(api.requests.length, 0, 'No request is made');
      same(await history(session), wordsOf(items), 'Unchanged');
    }
  }),

  compacts(
    'CMP-5',
    'of what the API gives, messages without their reasoning are stored without their id',
    async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(3));
      const content = [{ type: 'output_text', text: 'kept', annotations: [] }];
      const output = [
        { id: 'msg_9', type: 'message', role: 'assistant', status: 'completed', content },
        { id: 'cmp_9', type: 'compaction', encrypted_content: 'sealed' },
      ];
      api.answer = () => ({ status: 200, body: { id: 'r', output, usage: USAGE } });
      await session.runCompaction(FORCED);
      same(await history(session), ['says kept', 'compaction sealed'], 'What is stored');
      const [message] = (await session.getItems()) as { id?: unknown }[];
      same(message?.id, undefined, 'The id');
    },
  ),

  compacts('CMP-6', 'it returns what was used, and null when it was not due', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(3));
    same(await session.runCompaction(), null, 'Not due');
    const result = await session.runCompaction(FORCED);
    const numbers = JSON.stringify(result?.usage ?? null).match(/\d+/g) ?? [];
    same(numbers.map(Number).sort(), [5, 17, 83, 901, 984].sort(), 'All the numbers that the API gave');
    same(api.requests.length, 1, 'One request is made');
  }),

  compacts('CMP-7', 'at the end of a run, what the model has seen is compacted', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(9));
    for (const nth of [1, 2]) {
      const { items, ownership } = await session.getItemsWithCompactionOwnership!();
      const fresh = Array.from({ length: 10 }, (_, at) => says(`${nth}.${at}`));
      await session.addItemsWithCompactionOwnership!([asks(`run ${nth}`), ...fresh], ownership);
      const seen = [...items, asks(`run ${nth}`), ...fresh];
      const result = await session.runCompaction({}, {}, ownership, { items: seen });
      holds(result !== null, 'It is due', await history(session));
      same(wordsOf(api.requests.at(-1)?.input), wordsOf(seen), 'What the model has seen is sent');
      const left = await history(session);
      same(left.slice(-2), [`asks run ${nth}`, `compaction sealed ${nth}`], 'It is replaced');
    }
  }),

  compacts('CMP-7', 'a run goes by the chain of its own response', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(9));
    const { items, ownership } = await session.getItemsWithCompactionOwnership!();
    await session.addItemsWithCompactionOwnership!(turns(1), ownership);
    const exchange = { items: [...items, ...turns(1)], responseId: 'r2' };
    await session.runCompaction({ responseId: 'r1' }, {}, ownership, exchange);
    same(sourceOf(api), 'the chain of r2', 'Of the exchange');
  }),

  ...(
    [
      ['without a receipt', async () => null],
      ['without a model exchange', async (ownership: object) => ownership, true],
      [
        'after somebody else added something',
        async (ownership: object, session: CompactingSession) => {
          await session.addItems([asks('else')]);
          return ownership;
        },
      ],
      [
        'after a pop',
        async (ownership: object, session: CompactingSession) => {
          await session.popItem();
          return ownership;
        },
      ],
      [
        'with the receipt of another wrapper',
        async (_: object, _session: CompactingSession, bench: Bench) => {
          const { session: other } = await bench.compacting();
          return (await other.getItemsWithCompactionOwnership!()).ownership;
        },
      ],
      [
        'with a receipt that was stale when the run added its items',
        async (ownership: object, session: CompactingSession) => {
          await session.addItems([asks('else')]);
          await session.popItem();
          await session.addItemsWithCompactionOwnership!([], ownership);
          return ownership;
        },
      ],
    ] as const
  ).map(([name, spoil, isBlind = false]) =>
    compacts('CMP-7', `nothing is compacted at the end of a run ${name}`, async (bench) => {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(12));
      const { items, ownership } = await session.getItemsWithCompactionOwnership!();
      const receipt = await spoil(ownership, session, bench);
      const before = await history(session);
      const exchange = isBlind ? undefined : { items: [...items, asks('else')], responseId: 'r' };
      same(await session.runCompaction({ ...FORCED }, {}, receipt, exchange), null, 'Skipped');
      same(api.requests.length, 0, 'No request is made');
      same(await history(session), before, 'Unchanged');
    }),
  ),

  compacts('CMP-7', 'nothing is compacted that the model was not shown', async (bench) => {
    for (const hide of [
      (items: unknown[]) => items.slice(1),
      (items: unknown[]) => items.filter((_, at) => at !== 5),
      (items: unknown[]) => items.slice(0, -1),
      (items: unknown[]) => [...items.slice(2), ...items.slice(0, 2)],
      (items: unknown[]) => items.map((item, at) => (at === 3 ? says('something else') : item)),
    ]) {
      const { session, api } = await bench.compacting();
      await session.addItems(turns(12));
      const { items, ownership } = await session.getItemsWithCompactionOwnership!();
      const exchange = { items: hide(items), responseId: 'r' };
      same(await session.runCompaction({}, {}, ownership, exchange), null, 'Skipped');
      same(api.requests.length, 0, 'No request is made');
      same(await history(session), wordsOf(turns(12)), 'Unchanged');
    }
  }),

  compacts('CMP-7', 'nothing that somebody added elsewhere is compacted unseen', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems(turns(12));
    const { items, ownership } = await session.getItemsWithCompactionOwnership!();
    await (await bench.elsewhere(session)).addItems([asks('unseen')]);
    const exchange = { items, responseId: 'r' };
    same(await session.runCompaction({}, {}, ownership, exchange), null, 'Skipped');
    same(api.requests.length, 0, 'No request is made');
    same(await history(session), [...wordsOf(turns(12)), 'asks unseen'], 'Unchanged');
  }),

  compacts('CMP-7', 'a call that waits for its output is neither sent nor taken away', async (bench) => {
    for (const args of [FORCED, { responseId: 'r', ...FORCED }]) {
      const { session, api } = await bench.compacting();
      await session.addItems([...turns(4), thinks({ id: 'rs_1' }), calls('open'), asks('still there?')]);
      await session.runCompaction(args);
      same(sourceOf(api), 'input of 9', 'Its chain may hold the call');
      holds(!wordsOf(api.requests[0]?.input).includes('calls open'), 'The call is not sent', api.requests[0]);
      await session.addItems([gives('open'), says('done')]);
      const left = await history(session);
      const end = ['thinks rs_1', 'calls open', 'gives open', 'says done'];
      same(left.slice(-4), end, 'The call, with its reasoning, is right before its output');
      await session.runCompaction(FORCED);
      same(
        (await history(session)).slice(-2),
        ['asks still there?', 'compaction sealed 2'],
        'Whole, it goes',
      );
    }
  }),

  compacts('CMP-7', 'an output that comes while the API is asked stays with its call', async (bench) => {
    const { session, api } = await bench.compacting();
    await session.addItems([...turns(4), calls('a'), calls('b'), gives('b')]);
    const other = await bench.elsewhere(session);
    api.meanwhile = () => other.addItems([gives('a')]);
    await session.runCompaction(FORCED);
    const left = await history(session);
    same(left, [...compacted(4), 'calls a', 'gives a'], 'Side by side');
  }),

  compacts(
    'CMP-7',
    'an output that comes after the last response was named stays with its call',
    async (bench) => {
      const { session } = await bench.compacting();
      await session.addItems([...turns(4), calls('a')]);
      same(await session.runCompaction({ responseId: 'r' }), null, 'Not due');
      await session.addItems([gives('a')]);
      await session.runCompaction(FORCED);
      const left = await history(session);
      const isParted = left.includes('gives a') !== left.includes('calls a');
      holds(!isParted, 'Both are there, or neither', left);
    },
  ),
];
