import type { CompactingSession, CompactionWish, SeenExchange } from '@sessions/conformance';
import type { HistorySnapshotAwareSession, OpenAIResponsesCompactionArgs } from '@sessions/core';
import type { CompactionMutation, Mutant } from './mutant.ts';
import { InTwoSteps, isTaken, NaiveCompaction, otherwise, reasoning, withoutId } from './naive-compaction.ts';
import { turn } from './turn.ts';

type Args = OpenAIResponsesCompactionArgs;
type Item = Readonly<Record<string, unknown>>;

/** Asks about whatever there is, and stores whatever comes. */
class Unconditional extends NaiveCompaction {
  override async compact() {
    const { output, usage } = await this.ask({ input: this.input(await this.everything()) });
    await this.replace(this.output(output));
    return { usage };
  }
}

/** Stores what the API gives as it is. */
class Unfiltered extends NaiveCompaction {
  override output(items: Item[]) {
    return items;
  }
}

/** The right wrapper, told otherwise. */
function told(change: (args: Args) => Args): CompactionMutation {
  return (wrap, session, wish) => {
    const right = wrap(session, wish);
    const { runCompaction: run } = methodsOf(right);
    return otherwise(right, {
      runCompaction: (args: Args = {}, ...rest: Rest) => run(change(args), ...rest),
    });
  };
}

/** The right wrapper, with some of its methods replaced. */
function laidOver(
  change: (right: Methods, laid: CompactingSession, wish: CompactionWish) => object,
): CompactionMutation {
  return (wrap, session, wish) => {
    const right = wrap(session, wish);
    return otherwise(right, change(methodsOf(right), right, wish));
  };
}

/** The right wrapper, over a session whose snapshots are others. */
function overSnapshots(
  change: (snapshot: Snapshot, session: Stored) => Partial<Snapshot>,
): CompactionMutation {
  return (wrap, session, wish) => {
    const stored = session as unknown as Stored;
    return wrap(
      otherwise(session, {
        async snapshotHistory(...given: never[]) {
          const snapshot = await stored.snapshotHistory(...given);
          return { ...snapshot, ...change(snapshot, stored) };
        },
      }),
      wish,
    );
  };
}

/** A wrapper that somebody wrote in an afternoon. */
function written(Wrapper: typeof NaiveCompaction): CompactionMutation {
  return (_, session, wish) => new Wrapper(session, wish).laid();
}

/** The last id is remembered, until something forgets it. */
function remembers(forgets: readonly ('popItem' | 'clearSession')[]): CompactionMutation {
  return laidOver((right) => {
    let last: string | undefined;
    const forgetting = Object.fromEntries(
      forgets.map((method) => [
        method,
        () => {
          last = undefined;
          return right[method]();
        },
      ]),
    );
    return {
      ...forgetting,
      runCompaction(args: Args = {}, ...rest: Rest) {
        last = args.responseId ?? last;
        return right.runCompaction({ ...args, ...(last === undefined ? {} : { responseId: last }) }, ...rest);
      },
    };
  });
}

/** A run's compaction, with another exchange or receipt. */
function inRuns(
  change: (
    run: { receipt: object | null | undefined; exchange: SeenExchange | undefined; args: Args },
    right: Methods,
  ) => Promise<{ receipt?: object | null | undefined; exchange?: SeenExchange | undefined }>,
): CompactionMutation {
  return laidOver((right) => ({
    async runCompaction(args: Args = {}, ...[options, receipt, exchange]: Rest) {
      const run = { receipt, exchange, args };
      const other = receipt === undefined ? run : { ...run, ...(await change(run, right)) };
      return right.runCompaction(args, options, other.receipt, other.exchange);
    },
  }));
}

type Rest = Parameters<CompactingSession['runCompaction']> extends [unknown?, ...infer TRest] ? TRest : never;
type Methods = Pick<
  Required<CompactingSession>,
  | 'runCompaction'
  | 'getItems'
  | 'addItems'
  | 'popItem'
  | 'clearSession'
  | 'getItemsWithCompactionOwnership'
  | 'addItemsWithCompactionOwnership'
>;
type Stored = HistorySnapshotAwareSession<unknown> & Required<CompactingSession>;
type Snapshot = Awaited<ReturnType<Stored['snapshotHistory']>>;

function methodsOf(session: CompactingSession): Methods {
  return otherwise(session, {}) as Methods;
}

const all = (session: Pick<Methods, 'getItems'>) => session.getItems(Number.POSITIVE_INFINITY);

/** What fits no further than this was appended. */
async function rest(snapshot: Snapshot, session: Stored): Promise<unknown[]> {
  return (await all(session)).slice(snapshot.items.length);
}

const modes: readonly Mutant[] = (
  [
    ['a forced compaction waits until it is due', told(({ force, ...args }) => args)],
    ['that responses are not kept is not listened to', told(({ store, ...args }) => args)],
    ['that responses are not kept is forgotten', told((args) => ({ store: true, ...args }))],
    [
      'auto goes by what is stored, always',
      told((args) => ({ ...args, compactionMode: args.compactionMode ?? 'input' })),
    ],
    [
      'auto goes by the last response, always',
      told((args) => (args.responseId ? { compactionMode: 'previous_response_id', ...args } : args)),
    ],
    ['the mode of the call is not listened to', told(({ compactionMode, ...args }) => args)],
    [
      'an id that is not kept is not gone by, though that is asked for',
      told((args) => (args.store === false ? { ...args, compactionMode: 'input' } : args)),
    ],
    [
      'a wrapper told to go by an id goes by what is stored where there is none',
      (wrap, session, wish) => {
        const { compactionMode, ...auto } = wish;
        return wrap(session, compactionMode === 'previous_response_id' ? auto : wish);
      },
    ],
    ['an id stands for all that is stored when it is used', remembers(['popItem', 'clearSession'])],
    [
      'an id is not remembered',
      laidOver((right) => ({
        async runCompaction(args: Args = {}, ...given: Rest) {
          const result = await right.runCompaction(args, ...given);
          if (result === null) {
            // What forgets it, and changes nothing.
            await right.addItems([{ type: 'message', role: 'user', content: 'and' }]);
            await right.popItem();
          }
          return result;
        },
      })),
    ],
    ...([9, 11] as const).map((threshold): [string, CompactionMutation] => [
      `${threshold} candidates are enough`,
      (wrap, session, wish) =>
        wrap(session, { shouldTriggerCompaction: ({ length }) => length >= threshold, ...wish }),
    ]),
    [
      'questions are candidates',
      laidOver((right, _, wish) => ({
        async runCompaction(args: Args = {}, ...given: Rest) {
          const isLong = !wish.shouldTriggerCompaction && (await all(right)).length >= 10;
          return right.runCompaction(isLong ? { ...args, force: true } : args, ...given);
        },
      })),
    ],
    [
      'the application is asked though it is forced',
      laidOver((right, _, wish) => ({
        async runCompaction(...given: Parameters<Methods['runCompaction']>) {
          return wish.shouldTriggerCompaction?.([]) === false ? null : right.runCompaction(...given);
        },
      })),
    ],
    [
      'the application is asked about the whole history',
      (wrap, session, wish) =>
        wrap(session, {
          ...wish,
          ...(wish.shouldTriggerCompaction && {
            shouldTriggerCompaction: (candidates) =>
              wish.shouldTriggerCompaction!([
                { type: 'message', role: 'user', content: 'q0' },
                ...candidates,
              ]),
          }),
        }),
    ],
  ] satisfies [string, CompactionMutation][]
).map(([name, compaction]) => ({ name, clause: 'CMP-1', over: 'compaction', compaction }));

const wholes: readonly Mutant[] = (
  [
    [
      'what the default limit shows is compacted, and all is replaced',
      (wrap, session, wish) =>
        overSnapshots((snapshot) => {
          const limit = session.sessionSettings?.limit;
          return limit === undefined ? {} : { items: snapshot.items.slice(-limit) };
        })(wrap, session, wish),
    ],
    [
      'the default limit counts for the threshold',
      laidOver((right) => ({
        async runCompaction(args: Args = {}, ...given: Rest) {
          const { length } = await right.getItems();
          return length < 10 && !args.force ? null : right.runCompaction(args, ...given);
        },
      })),
    ],
    [
      'what was compacted before is not sent again',
      overSnapshots(({ items }) => ({
        items: items.slice(items.findLastIndex((item) => (item as Item).type === 'compaction') + 1),
      })),
    ],
  ] satisfies [string, CompactionMutation][]
).map(([name, compaction]) => ({ name, clause: 'CMP-2', over: 'compaction', compaction }));

const meanwhiles: readonly Mutant[] = (
  [
    [
      'what is appended meanwhile is replaced as well',
      overSnapshots((_, session) => ({
        async replace(items) {
          await session.replaceHistoryWithCompaction(items);
          return true;
        },
      })),
    ],
    [
      'a compaction is dropped when something was appended',
      overSnapshots((snapshot, session) => ({
        async replace(items) {
          const { length } = await all(session);
          return length === snapshot.items.length && snapshot.replace(items);
        },
      })),
    ],
    [
      'what is appended meanwhile comes before what was compacted',
      overSnapshots((snapshot, session) => ({
        async replace(items) {
          const appended = await rest(snapshot, session);
          if (appended.length === 0) return snapshot.replace(items);
          await session.replaceHistoryWithCompaction([...appended, ...items]);
          return true;
        },
      })),
    ],
    [
      'what is appended meanwhile is there twice',
      overSnapshots((snapshot, session) => ({
        replace: async (items) => snapshot.replace([...items, ...(await rest(snapshot, session))]),
      })),
    ],
    [
      'only how many items there are is looked at',
      overSnapshots((snapshot, session) => ({
        async replace(items) {
          const now = await all(session);
          if (now.length < snapshot.items.length) return false;
          await session.replaceHistoryWithCompaction([...items, ...now.slice(snapshot.items.length)]);
          return true;
        },
      })),
    ],
    [
      'a clear is taken for nothing',
      overSnapshots((snapshot, session) => ({
        async replace(items) {
          if ((await all(session)).length > 0) return snapshot.replace(items);
          await session.addItems(items);
          return true;
        },
      })),
    ],
    [
      'what was popped meanwhile comes back when the compaction is dropped',
      overSnapshots((snapshot, session) => ({
        async replace(items) {
          if (await snapshot.replace(items)) return true;
          await session.replaceHistoryWithCompaction(snapshot.items);
          return false;
        },
      })),
    ],
    [
      'what is appended between looking and replacing is lost',
      overSnapshots((snapshot, session) => ({
        async replace(items) {
          const now = await all(session);
          const [seen, still] = [snapshot.items, now.slice(0, snapshot.items.length)].map((list) => {
            return JSON.stringify(list);
          });
          if (seen !== still) return false;
          for (let turns = 0; turns < 20; turns++) await turn();
          await session.replaceHistoryWithCompaction([...items, ...now.slice(snapshot.items.length)]);
          return true;
        },
      })),
    ],
  ] satisfies [string, CompactionMutation][]
).map(([name, compaction]) => ({ name, clause: 'CMP-3', over: 'compaction', compaction }));

const failures: readonly Mutant[] = (
  [
    ['a history is cleared and then written', written(InTwoSteps)],
    [
      'a history is cleared before the API is asked',
      written(
        class extends NaiveCompaction {
          override async everything() {
            const items = await super.everything();
            await this.session.clearSession();
            return items;
          }
        },
      ),
    ],
    ['nothing takes the place of the history when the API gives nothing', written(Unconditional)],
    ['whatever the API gives is stored', written(Unfiltered)],
    [
      'the history is cleared when the API fails',
      laidOver((right) => ({
        async runCompaction(...given: Parameters<Methods['runCompaction']>) {
          try {
            return await right.runCompaction(...given);
          } catch (error) {
            await right.clearSession();
            throw error;
          }
        },
      })),
    ],
    [
      'a failure of the API is kept quiet',
      laidOver((right) => ({
        runCompaction: (...given: Parameters<Methods['runCompaction']>) =>
          right.runCompaction(...given).catch(() => null),
      })),
    ],
    [
      'the signal is not listened to',
      laidOver((right) => ({
        runCompaction: (args: Args, _: unknown, ...given: [never, never]) =>
          right.runCompaction(args, {}, ...given),
      })),
    ],
    [
      'given up, it says so with an error of its own',
      laidOver((right) => ({
        runCompaction: (...given: Parameters<Methods['runCompaction']>) =>
          right.runCompaction(...given).catch((error: unknown) => {
            throw given[1]?.signal?.aborted ? new Error('aborted') : error;
          }),
      })),
    ],
  ] satisfies [string, CompactionMutation][]
).map(([name, compaction]) => ({ name, clause: 'CMP-4', over: 'compaction', compaction }));

const orphans: readonly Mutant[] = (
  [
    ['a pop does not make it forget', remembers(['clearSession'])],
    ['a clear does not make it forget', remembers(['popItem'])],
    [
      'reasoning with neither an id nor encrypted content is sent',
      written(
        class extends NaiveCompaction {
          override input(items: Item[]) {
            return items.map((item) => (item.type === 'reasoning' ? reasoning(item) : item));
          }
        },
      ),
    ],
    [
      'no reasoning is sent',
      written(
        class extends NaiveCompaction {
          override input(items: Item[]) {
            return super.input(items.filter(({ type }) => type !== 'reasoning'));
          }
        },
      ),
    ],
    [
      'reasoning is sent with an id only',
      written(
        class extends NaiveCompaction {
          override input(items: Item[]) {
            return super.input(items.filter(({ type, id }) => type !== 'reasoning' || id !== undefined));
          }
        },
      ),
    ],
    [
      'messages are sent with their ids, though their reasoning is not',
      written(
        class extends NaiveCompaction {
          override input(items: Item[]) {
            const sent = items.filter((item) => item.type !== 'reasoning' || isTaken(item));
            return sent.map((item) => (item.type === 'reasoning' ? reasoning(item) : item));
          }
        },
      ),
    ],
    [
      'all messages are sent without their ids',
      written(
        class extends NaiveCompaction {
          override input(items: Item[]) {
            return super.input(items).map((item) => (item.role === 'assistant' ? withoutId(item) : item));
          }
        },
      ),
    ],
    [
      'messages whose reasoning is gone are left out',
      written(
        class extends NaiveCompaction {
          override input(items: Item[]) {
            const whole = items.filter((item, at) => {
              const before = items[at - 1];
              return isTaken(item) || item.role !== 'assistant' || before?.type !== 'reasoning';
            });
            return super.input(whole.filter(({ id }) => id !== 'msg_3'));
          }
        },
      ),
    ],
    ['the API is asked about nothing', written(Unconditional)],
    ['what the API gives is stored with ids whose reasoning is gone', written(Unfiltered)],
  ] satisfies [string, CompactionMutation][]
).map(([name, compaction]) => ({ name, clause: 'CMP-5', over: 'compaction', compaction }));

type Result = Awaited<ReturnType<Methods['runCompaction']>>;

const usages: readonly Mutant[] = (
  [
    ['no usage is returned', () => ({ usage: undefined })],
    ['the usage is nothing but the total', ({ usage }) => ({ usage: (usage as Item).totalTokens })],
    [
      'the usage leaves out its details',
      ({ usage }) => ({
        usage: { ...(usage as Item), inputTokensDetails: {}, outputTokensDetails: {} },
      }),
    ],
    ['nothing is returned', () => undefined as never],
  ] satisfies [string, (result: NonNullable<Result>) => Result][]
).map(([name, change]) => ({
  name,
  clause: 'CMP-6',
  over: 'compaction',
  compaction: laidOver((right) => ({
    async runCompaction(...given: Parameters<Methods['runCompaction']>) {
      const result = await right.runCompaction(...given);
      return result && change(result);
    },
  })),
}));

const runs: readonly Mutant[] = (
  [
    [
      'any receipt is good',
      inRuns(async ({ receipt }, right) => ({
        receipt: receipt && (await right.getItemsWithCompactionOwnership()).ownership,
      })),
    ],
    [
      'a run without a receipt is taken for a call by hand',
      inRuns(async ({ receipt }) => ({ receipt: receipt ?? undefined })),
    ],
    [
      'a run without an exchange is taken for a call by hand',
      inRuns(async ({ exchange, receipt }) => ({ receipt: exchange ? receipt : undefined })),
    ],
    [
      'it is not looked at what the model has seen',
      inRuns(async ({ exchange }, right) => ({
        exchange: exchange && { ...exchange, items: await all(right) },
      })),
    ],
    [
      'it is looked at how much the model has seen',
      inRuns(async ({ exchange }, right) => {
        const items = await all(right);
        const isEnough = (exchange?.items.length ?? 0) >= items.length;
        return { exchange: exchange && isEnough ? { ...exchange, items } : exchange };
      }),
    ],
    [
      'it is looked at whether the model has seen the newest item',
      inRuns(async ({ exchange }, right) => {
        const items = await all(right);
        const [mine, its] = [items.at(-1), exchange?.items.at(-1)].map((item) => JSON.stringify(item));
        return { exchange: exchange && mine === its ? { ...exchange, items } : exchange };
      }),
    ],
    [
      'the items of a run make its own receipt stale',
      laidOver((right) => ({
        addItemsWithCompactionOwnership: (items: unknown[]) => right.addItems(items),
      })),
    ],
    [
      'the items of another run leave a receipt good',
      laidOver((right) => {
        let mine: object | null = null;
        return {
          async getItemsWithCompactionOwnership() {
            const read = await right.getItemsWithCompactionOwnership();
            mine = read.ownership;
            return read;
          },
          addItems: (items: unknown[]) => right.addItemsWithCompactionOwnership(items, mine),
        };
      }),
    ],
    [
      'a run goes by the id it is told, whatever its exchange says',
      inRuns(async ({ exchange, args }) => ({
        exchange: exchange && { ...exchange, responseId: args.responseId as string },
      })),
    ],
    ['a compaction at the end of a run is never due', inRuns(async () => ({ receipt: null }))],
    [
      'a call that waits for its output is taken away',
      overSnapshots(({ items }) => ({ items: items.filter((item) => !isOpen(item as Item, items)) })),
    ],
    [
      'a call that waits for its output goes without its reasoning',
      overSnapshots((snapshot) => ({
        replace: (items) => snapshot.replace(items.filter((item) => (item as Item).type !== 'reasoning')),
      })),
    ],
    [
      'a call that waits for its output stays where it was, before the compacted items',
      overSnapshots((snapshot) => ({
        replace: (items) =>
          snapshot.replace([
            ...items.filter((item) => (item as Item).type === 'function_call'),
            ...items.filter((item) => (item as Item).type !== 'function_call'),
          ]),
      })),
    ],
  ] satisfies [string, CompactionMutation][]
).map(([name, compaction]) => ({ name, clause: 'CMP-7', over: 'compaction', compaction }));

function isOpen({ type, callId }: Item, items: readonly unknown[]): boolean {
  const isAnswered = items.some((item) => {
    const other = item as Item;
    return other.type === 'function_call_result' && other.callId === callId;
  });
  return type === 'function_call' && !isAnswered;
}

export const compactionMutants: readonly Mutant[] = [
  {
    name: 'a session that does not compact has the method, and it fails',
    clause: 'CMP-1',
    over: 'memory',
    session: () =>
      ({
        runCompaction: async () => {
          throw new Error('not supported');
        },
      }) as object,
  },
  ...modes,
  ...wholes,
  ...meanwhiles,
  ...failures,
  ...orphans,
  ...usages,
  ...runs,
];
