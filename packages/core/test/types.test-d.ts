/** Checked by `tsc` alone, and so by `types.test.ts`: what must compile, and what must not. Nothing here is ever run. */
import type {
  Agent,
  AgentInputItem,
  OpenAIResponsesCompactionAwareSession as SdkCompactionAware,
  SessionHistoryRewriteAwareSession as SdkRewriteAware,
  Session as SdkSession,
  SessionHistoryTransactionAwareSession as SdkTransactionAware,
} from '@openai/agents';
import { run } from '@openai/agents';
import {
  AbstractSession,
  type AgentItem,
  awaitSessionMutation,
  type HistoryReplaceAwareSession,
  type HistoryRewriteAwareSession,
  type HistoryTransactionAwareSession,
  isOpenAIResponsesCompactionAwareSession,
  isSessionError,
  type OpenAIResponsesCompactionAwareSession,
  type OpenAIResponsesCompactionResult,
  resolveSessionLimit,
  type Session,
  SessionError,
  type SessionErrorCode,
  type SessionSettings,
} from '../src/index.ts';
import {
  type checkSessionId,
  type decodeRecord,
  type encodeItems,
  type escapeId,
  type HistoryCommit,
  type HistoryRead,
  type HistoryStore,
  type resolveStoreOptions,
  StoredSession,
  TEXT,
} from '../src/store.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** `Equal` tells `any` from everything else, so that none leaks out unseen. */
function same<A, B>(..._: Equal<A, B> extends true ? [] : ['these types differ']): void {}

declare const store: HistoryStore;
declare const numbers: HistoryStore<number>;
declare const agent: Agent;
declare const item: AgentInputItem;
declare const call: Extract<AgentInputItem, { type: 'function_call' }>;

// The default item is the official SDK's.
same<AgentItem, AgentInputItem>();

const byDefault = new StoredSession({ adapter: 'test', sessionId: 'a', open: () => store });
const explicit = new StoredSession<AgentInputItem>({ adapter: 'test', sessionId: 'a', open: () => store });
declare const plain: Session<AgentInputItem>;
declare const compacting: OpenAIResponsesCompactionAwareSession<AgentInputItem>;

// Each can be handed to whoever wants a session of the official SDK.
export const sessions: SdkSession[] = [byDefault, explicit, plain, compacting];
// Built where it is handed on, a session has the items that it has elsewhere.
declare class Wrapper<TItem = AgentItem> {
  constructor(options: { inner: Session<TItem> });
  readonly items: TItem[];
}
const wrapped = new Wrapper({
  inner: new StoredSession({ adapter: 'test', sessionId: 'a', open: () => store }),
});
same<typeof wrapped.items, AgentInputItem[]>();

export const transactional: SdkTransactionAware[] = [byDefault, explicit];
export const rewriting: SdkRewriteAware[] = [byDefault, explicit];
export const wholeTransactional: SdkTransactionAware = {} as HistoryTransactionAwareSession<AgentInputItem>;
export const wholeRewriting: SdkRewriteAware = {} as HistoryRewriteAwareSession<AgentInputItem>;
export const wholeReplacing: Required<Pick<SdkSession, 'replaceHistoryWithCompaction'>> =
  {} as HistoryReplaceAwareSession<AgentInputItem>;
export const runs = () => [
  run(agent, 'hello', { session: byDefault }),
  run(agent, 'hello', { session: explicit }),
  run(agent, 'hello', { session: plain, stream: true }),
];

// And the other way round where nothing is missing but the id that ours bear.
export const adopted: Session<AgentInputItem> = Object.assign({} as SdkSession, { sessionId: 'a' });

// @ts-expect-error a session of other items is no session of the official SDK's
export const otherItems: SdkSession = new StoredSession<{ text: string }>({
  adapter: 'test',
  sessionId: 'a',
  open: () => store,
});

// @ts-expect-error a session without the method is not compaction aware
export const notCompacting: SdkCompactionAware = byDefault;

// @ts-expect-error a plain session has no transactions
export const notTransactional: HistoryTransactionAwareSession<AgentInputItem> = plain;

export async function returns() {
  const mine = new StoredSession<{ text: string }>({ adapter: 'test', sessionId: 'a', open: () => store });
  same<Awaited<ReturnType<typeof byDefault.getItems>>, AgentInputItem[]>();
  same<Awaited<ReturnType<typeof mine.getItems>>, { text: string }[]>();
  same<Awaited<ReturnType<typeof mine.popItem>>, { text: string } | undefined>();
  same<ReturnType<typeof mine.addItems>, Promise<void>>();
  same<ReturnType<typeof mine.clearSession>, Promise<void>>();
  same<ReturnType<typeof mine.getSessionId>, Promise<string>>();
  same<ReturnType<typeof mine.applyHistoryTransaction>, Promise<void>>();
  same<ReturnType<typeof mine.applyHistoryMutations>, Promise<void>>();
  same<ReturnType<typeof mine.replaceHistoryWithCompaction>, Promise<void>>();
  same<ReturnType<typeof mine.close>, Promise<void>>();
  same<typeof mine.sessionId, string>();
  same<typeof mine.sessionSettings, SessionSettings | undefined>();
  // Without a type a session's items are unknown, not `any`.
  same<Awaited<ReturnType<Session['getItems']>>, unknown[]>();
  same<ReturnType<typeof compacting.runCompaction>, Promise<OpenAIResponsesCompactionResult | null>>();
  same<OpenAIResponsesCompactionResult['usage'], unknown>();

  same<ReturnType<typeof resolveSessionLimit>, number | undefined>();
  same<ReturnType<typeof encodeItems>, string[]>();
  same<ReturnType<typeof decodeRecord>, unknown>();
  same<ReturnType<typeof escapeId>, string>();
  same<ReturnType<typeof checkSessionId>, string>();
  same<ReturnType<HistoryStore['read']>, Promise<HistoryRead>>();
  same<ReturnType<HistoryStore['commit']>, Promise<HistoryCommit>>();
  same<ReturnType<typeof resolveStoreOptions>['timeoutMs'], number>();

  const written = await awaitSessionMutation(Promise.resolve(5));
  same<typeof written, number>();

  const error: unknown = new SessionError('CLOSED');
  if (isSessionError(error)) same<typeof error.code, SessionErrorCode>();
  if (isSessionError(error)) same<typeof error.cause, unknown>();
  const maybe = plain as Session<AgentInputItem> | undefined;
  if (isOpenAIResponsesCompactionAwareSession(maybe)) {
    same<typeof maybe, OpenAIResponsesCompactionAwareSession<AgentInputItem>>();
  }
}

export function uses() {
  const { signal } = new AbortController();
  return [
    byDefault.getItems(),
    byDefault.getItems(5),
    byDefault.getItems(undefined, { signal }),
    byDefault.addItems([item, { role: 'user', content: 'hello' }], { signal: undefined }),
    byDefault.applyHistoryTransaction({
      operationId: 'op',
      transaction: { type: 'append_items', items: [item] },
    }),
    byDefault.applyHistoryMutations({
      mutations: [{ type: 'replace_function_call', callId: 'a', replacement: call }],
    }),
    compacting.runCompaction(),
    compacting.runCompaction({ responseId: undefined, compactionMode: 'auto', store: false, force: true }),
  ];
}

export function misuses() {
  // @ts-expect-error a session needs an id
  new StoredSession({ adapter: 'test', open: () => store });
  // @ts-expect-error an id is a string
  new StoredSession({ adapter: 'test', sessionId: 5, open: () => store });
  // @ts-expect-error an id may not be missing at run time either
  new StoredSession({ adapter: 'test', sessionId: undefined, open: () => store });
  // @ts-expect-error a store has two functions, not one
  new StoredSession({ adapter: 'test', sessionId: 'a', open: () => ({ read: store.read }) });
  // @ts-expect-error times are numbers
  new StoredSession({ adapter: 'test', sessionId: 'a', open: () => store, options: { timeoutMs: '10s' } });
  // @ts-expect-error options are known by name
  new StoredSession({ adapter: 'test', sessionId: 'a', open: () => store, options: { timeout: 10 } });
  // @ts-expect-error records that are no texts need a codec
  new StoredSession<AgentItem, number>({ adapter: 'test', sessionId: 'a', open: () => numbers });
  // @ts-expect-error and so do those that may be something else
  new StoredSession<AgentItem, number | string>({ adapter: 'test', sessionId: 'a', open: () => numbers });
  // @ts-expect-error the codec is that of the store's records
  new StoredSession<AgentItem, number>({ adapter: 'test', sessionId: 'a', open: () => numbers, codec: TEXT });
  // @ts-expect-error the base leaves the methods to be written
  new AbstractSession();

  // @ts-expect-error one item is not a batch
  byDefault.addItems(item);
  // @ts-expect-error a batch may not be left out
  byDefault.addItems();
  // @ts-expect-error text is not an item
  byDefault.addItems(['hello']);
  // @ts-expect-error a role that there is not
  byDefault.addItems([{ role: 'owner', content: 'hello' }]);
  // @ts-expect-error a limit is a number
  byDefault.getItems('5');
  // @ts-expect-error no limit is undefined, not null
  byDefault.getItems(null);
  // @ts-expect-error the settings are an object
  byDefault.sessionSettings = 5;
  // @ts-expect-error the default limit is a number
  byDefault.sessionSettings = { limit: '5' };
  // @ts-expect-error an id is never changed
  byDefault.sessionId = 'b';
  // @ts-expect-error the signal comes in an object, as everywhere
  byDefault.popItem(new AbortController().signal);
  // @ts-expect-error options are known by name
  byDefault.clearSession({ timeout: 5 });
  // @ts-expect-error what is popped may be undefined
  byDefault.popItem().then((popped) => popped.type);

  const mine = byDefault;
  const operationId = 'a';
  // @ts-expect-error a transaction needs an operation id
  mine.applyHistoryTransaction({ transaction: { type: 'append_items', items: [] } });
  // @ts-expect-error a type that there is not
  mine.applyHistoryTransaction({ operationId, transaction: { type: 'prepend_items', items: [] } });
  // @ts-expect-error an append needs items
  mine.applyHistoryTransaction({ operationId, transaction: { type: 'append_items' } });
  // @ts-expect-error a replacement needs what it replaces
  mine.applyHistoryTransaction({ operationId, transaction: { type: 'replace_suffix', replacement: [] } });
  // @ts-expect-error no fields but those
  mine.applyHistoryTransaction({ operationId, transaction: { type: 'append_items', items: [] }, at: 1 });

  const type = 'replace_function_call';
  // @ts-expect-error a call is replaced by a call
  byDefault.applyHistoryMutations({ mutations: [{ type, callId: 'a', replacement: item }] });
  // @ts-expect-error a mutation that there is not
  byDefault.applyHistoryMutations({ mutations: [{ type: 'delete_function_call', callId: 'a' }] });
  // @ts-expect-error a mode that there is not
  compacting.runCompaction({ compactionMode: 'server' });

  // @ts-expect-error codes are a closed list
  new SessionError('NOT_FOUND');
  // @ts-expect-error codes are a closed list
  isSessionError(null, 'NOT_FOUND');
  // @ts-expect-error a limit is a number
  resolveSessionLimit('5');
  // @ts-expect-error there must be something to wait for
  awaitSessionMutation(5);
}
