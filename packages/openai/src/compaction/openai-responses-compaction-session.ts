/// <reference lib="esnext.disposable" preserve="true" />
import {
  type AgentItem,
  awaitSessionMutation,
  type CapabilityCallOptions,
  type HistorySnapshot,
  type OpenAIResponsesCompactionArgs,
  type OpenAIResponsesCompactionAwareSession,
  type OpenAIResponsesCompactionMode,
  type SessionCallOptions,
  SessionError,
  type SessionSettings,
} from '@sessions/core';
import { invalidArgument } from '@sessions/core/store';
import { OpenAI } from 'openai';
import type { ResponseCompactParams } from 'openai/resources/responses/responses';
import type { CompactionClient } from '../clients.ts';
import { untilAborted } from './abort.ts';
import { compactionCandidates } from './candidates.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { ModelExchange } from './coverage.ts';
import { formatOf } from './format.ts';
import { needsTurns, wholeHistory } from './history.ts';
import type { ResolvedCompactionMode } from './mode.ts';
import { compactionOutput } from './output.ts';
import { automaticPlan, type CompactionPlan, type LastResponse, manualPlan } from './plan.ts';
import { Turns } from './turns.ts';
import {
  type AnyCapability,
  type Capabilities,
  checkUnderlying,
  type UnderlyingSession,
} from './underlying.ts';
import { type CompactionUsage, compactionUsage } from './usage.ts';

/** What the application is asked before a history is compacted. */
export interface CompactionDecision<TItem> {
  /** The id of the last response, if it is known. */
  readonly responseId: string | undefined;
  /** How the API would be given the history. */
  readonly compactionMode: ResolvedCompactionMode;
  /** What a compaction would make shorter: all but the user's messages and what was compacted before. */
  readonly compactionCandidateItems: TItem[];
  /** The whole history. */
  readonly sessionItems: TItem[];
}

/** What an {@link OpenAIResponsesCompactionSession} is built with. */
export interface OpenAIResponsesCompactionSessionOptions<TItem = AgentItem> {
  /** Where the history is stored: any session but a conversation of the Conversations API. */
  underlyingSession: UnderlyingSession<TItem>;
  /** The application's client. By default one made from the environment (`OPENAI_API_KEY`). */
  client?: CompactionClient | undefined;
  /** The model that compacts. `gpt-5.6-luna` by default, as in the Agents SDK 0.20. */
  model?: string | undefined;
  /** How the API is given the history, unless a call says otherwise. `auto` by default (CMP-1). */
  compactionMode?: OpenAIResponsesCompactionMode | undefined;
  /** Whether to compact now. By default, when there are 10 candidates. Not asked when a compaction is forced. */
  shouldTriggerCompaction?: ((decision: CompactionDecision<TItem>) => boolean | Promise<boolean>) | undefined;
}

/** What a compaction consumed. */
export interface CompactionResult {
  usage: CompactionUsage;
}

const DEFAULT_MODEL = 'gpt-5.6-luna';

/** From how many candidates on a history is compacted, unless the application decides. */
const THRESHOLD = 10;

/** What a call of `runCompaction` asks for. */
interface Asked {
  readonly responseId: string | undefined;
  readonly compactionMode: OpenAIResponsesCompactionMode;
  readonly force: boolean;
  readonly receipt: object | null | undefined;
  readonly exchange: ModelExchange | undefined;
  /** How much had been taken away by then. */
  readonly drops: number;
}

/** What a call of `runCompaction` comes with. */
interface Around {
  /** The caller's own signal. */
  readonly given: AbortSignal | undefined;
  /** That, and the end of this session. */
  readonly signal: AbortSignal;
  readonly passedOn: CapabilityCallOptions | undefined;
}

/**
 * A session that shortens its history through the Responses API, over any session that stores it.
 *
 * Handed to the Agents SDK's `run()`, it is asked after each run whether a compaction is due; with the bare client, call
 * {@link runCompaction} after each turn. It stores whatever items the session inside does, the Agents SDK's or the API's
 * own, and has that session's other capabilities, `close()` and default limit, and none that it lacks.
 *
 * What a compaction can promise depends on the session inside:
 *
 * - one of ours (with `snapshotHistory`): the history is replaced by one change that holds for what was read only. A crash
 *   leaves the old history or the new one; what was appended meanwhile, from anywhere, follows the compacted items; after
 *   a pop, a clear or a rewrite, from anywhere, the compaction is dropped (CMP-3, CMP-4).
 * - one with `applyHistoryTransaction`: the same, as far as that method keeps its own promise.
 * - any other: the history is cleared and written again. Calls through this wrapper wait for that. It cannot be promised
 *   that nobody else sees the history in between, that what others write in between is kept, nor that a crash in between
 *   leaves anything; a failure is answered by writing the old history again.
 *
 * Of two compactions of one session at once, through two wrappers, one is dropped.
 *
 * @typeParam TItem - what the history holds
 */
export class OpenAIResponsesCompactionSession<TItem = AgentItem>
  implements OpenAIResponsesCompactionAwareSession<TItem>
{
  declare readonly applyHistoryTransaction?: Capabilities<TItem>['applyHistoryTransaction'];
  declare readonly applyHistoryMutations?: Capabilities<TItem>['applyHistoryMutations'];
  declare readonly replaceHistoryWithCompaction?: Capabilities<TItem>['replaceHistoryWithCompaction'];
  declare readonly snapshotHistory?: Capabilities<TItem>['snapshotHistory'];
  declare readonly prepareHistoryItemForModelInput?: Capabilities<TItem>['prepareHistoryItemForModelInput'];
  declare readonly prepareHistoryItemsForPersistenceComparison?: Capabilities<TItem>['prepareHistoryItemsForPersistenceComparison'];
  declare readonly preserveReasoningItemIdsForPersistence?: Capabilities<TItem>['preserveReasoningItemIdsForPersistence'];
  declare readonly acceptsRunContext?: true;
  declare readonly close?: () => Promise<void>;
  declare readonly [Symbol.asyncDispose]?: () => Promise<void>;

  readonly #inner: UnderlyingSession<TItem> & AnyCapability<TItem>;
  readonly #client: CompactionClient;
  readonly #model: string;
  readonly #mode: OpenAIResponsesCompactionMode;
  /** The application's, if it wants to decide. */
  readonly #isDue: OpenAIResponsesCompactionSessionOptions<TItem>['shouldTriggerCompaction'];
  /** Set where a replacement takes several steps. */
  readonly #turns: Turns | undefined;
  readonly #compactions = new Turns();
  readonly #closed = new AbortController();
  /** Counts the calls that may change the history: which of them a receipt knows of (CMP-7). */
  #changes = 0;
  /** Counts those that take something away. */
  #drops = 0;
  readonly #receipts = new WeakMap<object, number>();
  #last: LastResponse<TItem> | undefined;
  #store: boolean | undefined;

  /** @throws SessionError `INVALID_ARGUMENT`; without a `client`, what making one throws */
  constructor(options: OpenAIResponsesCompactionSessionOptions<TItem>) {
    const { underlyingSession, model = DEFAULT_MODEL, compactionMode = 'auto' } = options;
    this.#inner = checkUnderlying(underlyingSession);
    if (typeof model !== 'string' || model.trim() === '')
      invalidArgument('`model` must be the name of a model', 'openai');
    this.#model = model.trim();
    this.#mode = checkMode(compactionMode);
    this.#isDue = options.shouldTriggerCompaction;
    if (this.#isDue !== undefined && typeof this.#isDue !== 'function')
      invalidArgument('`shouldTriggerCompaction` must be a function', 'openai');
    this.#client = options.client ?? new OpenAI();
    if (typeof Object(this.#client).responses?.compact !== 'function') {
      invalidArgument('`client` must be one of the `openai` package, with `responses.compact`', 'openai');
    }
    if (needsTurns(this.#inner)) this.#turns = new Turns();
    const closed = () => this.#closed.abort(new SessionError('CLOSED', { adapter: 'openai' }));
    Object.assign(this, capabilitiesOf(this.#inner, { changing: () => this.#changes++, closing: closed }));
  }

  /**
   * The id of the session inside.
   *
   * @throws SessionError `SESSION_NOT_STARTED` if that one tells it by `getSessionId()` only
   */
  get sessionId(): string {
    const { sessionId } = this.#inner;
    if (typeof sessionId === 'string') return sessionId;
    throw new SessionError('SESSION_NOT_STARTED', {
      message: 'The session inside tells its id by `getSessionId()` only. Await that.',
      adapter: 'openai',
    });
  }

  /** Those of the session inside. A limit is for reading: a compaction reads past it (CMP-2). */
  get sessionSettings(): SessionSettings | undefined {
    return this.#inner.sessionSettings;
  }

  set sessionSettings(settings: SessionSettings | undefined) {
    this.#inner.sessionSettings = settings;
  }

  async getSessionId(): Promise<string> {
    return this.#inner.getSessionId();
  }

  async getItems(limit?: number, options?: SessionCallOptions): Promise<TItem[]> {
    return this.#inTurn(() => this.#inner.getItems(limit, options));
  }

  async addItems(items: TItem[], options?: SessionCallOptions): Promise<void> {
    if (items?.length !== 0) this.#changes++;
    // What waits for its turn is not to be changed by the caller meanwhile (ADD-4).
    const copies = this.#turns ? structuredClone(items) : items;
    return this.#inTurn(() => this.#inner.addItems(copies, options));
  }

  /** Pops from the session underneath. Forgets the last response, whose chain holds what is popped (CMP-5). */
  async popItem(options?: SessionCallOptions): Promise<TItem | undefined> {
    this.#drop();
    return this.#inTurn(() => this.#inner.popItem(options));
  }

  /** Clears the session underneath. Forgets the last response (CMP-5). */
  async clearSession(options?: SessionCallOptions): Promise<void> {
    this.#drop();
    return this.#inTurn(() => this.#inner.clearSession(options));
  }

  /**
   * Compacts the whole history, if that is due (CMP-1 … CMP-7). Makes no request if it is not, or if nothing is stored
   * that could be sent.
   *
   * By the id of a response the API compacts what it keeps of that response's chain. The id is taken to stand for what is
   * stored at the time of the call in which it is given. Used in a later call, it stands for no more than that: what was
   * stored since follows the compacted items.
   *
   * Calls whose answer is not stored yet are left as they are, after the compacted items, and `auto` does not go by a
   * chain that may hold such a call (CMP-7).
   *
   * @param args - `responseId`: of the last response. `store`: whether the API keeps it, remembered. `force`: compact
   *   though it is not due.
   * @param options - `signal`: gives it up, before the history is replaced or after (LIFE-4)
   * @param receipt - from the official runner: what {@link getItemsWithCompactionOwnership} gave it, or `null`
   * @param exchange - from the official runner: what the model was shown and what it answered
   * @returns what it consumed, also when it was dropped since the history was changed meanwhile, or when the API gave
   *   nothing; `null` if no request was made
   * @throws SessionError `INVALID_ARGUMENT`, `INVALID_ITEM`, `INCOMPATIBLE_STORE`, `CLOSED`; what the client throws,
   *   and what the session inside throws. The history is the old one, unless the error says that this is not known.
   */
  async runCompaction(
    args: OpenAIResponsesCompactionArgs = {},
    options?: CapabilityCallOptions,
    receipt?: object | null,
    exchange?: ModelExchange,
  ): Promise<CompactionResult | null> {
    const given = isSignal(options?.signal) ? options.signal : undefined;
    given?.throwIfAborted();
    this.#closed.signal.throwIfAborted();
    const wanted = readArgs(args, this.#mode);
    this.#store = wanted.store ?? this.#store;
    const asked = { ...wanted, drops: this.#drops, receipt, exchange };
    const around = {
      given,
      signal: given ? AbortSignal.any([this.#closed.signal, given]) : this.#closed.signal,
      passedOn: this.#passedOn(options),
    };
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const turn = this.#compactions.take(() => {
      begin();
      return this.#compact(asked, around);
    });
    turn.catch(() => undefined);
    await untilAborted(begun, around.signal);
    return turn;
  }

  /**
   * Reads the history for a run of the official runner, with a receipt: an automatic compaction at the end of the run
   * goes ahead only if nobody else changed the history through this wrapper since (CMP-7).
   */
  async getItemsWithCompactionOwnership(runContext?: object): Promise<{ items: TItem[]; ownership: object }> {
    const receipt = {};
    this.#receipts.set(receipt, this.#changes);
    const items = await this.getItems(undefined, this.#passedOn(runContext));
    return { items, ownership: receipt };
  }

  /** Adds what a run of the official runner brought, and keeps the run's receipt good if it was. */
  async addItemsWithCompactionOwnership(
    items: TItem[],
    ownership: object | null,
    runContext?: object,
  ): Promise<void> {
    const isOwn = this.#isOwn(ownership);
    const adding = this.addItems(items, this.#passedOn(runContext));
    const changes = this.#changes;
    await adding;
    if (isOwn) this.#receipts.set(ownership!, changes);
  }

  #isOwn(receipt: object | null): boolean {
    return receipt !== null && this.#receipts.get(receipt) === this.#changes;
  }

  async #compact(asked: Asked, { given, signal, passedOn }: Around): Promise<CompactionResult | null> {
    signal.throwIfAborted();
    const { receipt, exchange, force } = asked;
    const automatic = receipt ? exchange : undefined;
    if (receipt !== undefined && !(automatic && this.#isOwn(receipt))) return null;
    const { changes, drops } = { changes: this.#changes, drops: this.#drops };
    const history = await untilAborted(wholeHistory(this.#inner, this.#turns, passedOn), signal);
    const plan = this.#plan(asked, automatic, history);
    if (!plan || !(await untilAborted(this.#isWanted(plan, force, history), signal))) return null;
    // A chain still holds what was taken away since the call was made; the stored items do not.
    const isStillOf = () => this.#drops === (plan.mode === 'input' ? drops : asked.drops);
    const made = isStillOf() ? await this.#ask(plan, signal) : undefined;
    if (!made) return null;
    // Nothing in the place of a history would lose it.
    if (made.items.length > 0 && isStillOf()) {
      const replacing = plan.history.replace([...made.items, ...plan.input.kept], passedOn);
      if (await awaitSessionMutation(replacing, { signal: given })) this.#replaced(changes, receipt);
    }
    return { usage: made.usage };
  }

  #plan(
    { compactionMode: wanted, responseId, drops }: Asked,
    automatic: ModelExchange | undefined,
    history: HistorySnapshot<TItem>,
  ): CompactionPlan<TItem> | undefined {
    const known = { wanted, history, store: this.#store };
    const isDropped = drops !== this.#drops;
    // What the id stood for was taken away since it was given.
    if (wanted === 'previous_response_id' && responseId !== undefined && isDropped) return undefined;
    const last = responseId === undefined ? this.#last : { responseId, history };
    const plan = automatic
      ? automaticPlan(known, automatic, (items) => this.#comparable(items))
      : manualPlan(known, isDropped ? undefined : last);
    this.#last = isDropped ? undefined : plan?.last;
    return plan;
  }

  /** The history is another one now, which no response stands for. */
  #replaced(changes: number, receipt: object | null | undefined): void {
    const isOwn = changes === this.#changes++;
    if (isOwn && receipt) this.#receipts.set(receipt, this.#changes);
    this.#last = undefined;
  }

  async #isWanted(
    { mode, responseId, input }: CompactionPlan<TItem>,
    force: boolean,
    { items }: HistorySnapshot<TItem>,
  ): Promise<boolean> {
    if (input.compacted.length === 0) return false;
    if (force) return true;
    const candidates = compactionCandidates(items);
    if (!this.#isDue) return candidates.length >= THRESHOLD;
    return this.#isDue({
      responseId,
      compactionMode: mode,
      compactionCandidateItems: structuredClone(candidates),
      sessionItems: structuredClone(items),
    });
  }

  /** Makes the request, unless there is nothing to be sent. */
  async #ask(
    { mode, responseId, history, input }: CompactionPlan<TItem>,
    signal: AbortSignal,
  ): Promise<{ items: TItem[]; usage: CompactionUsage } | undefined> {
    const items = mode === 'input' ? input.request() : undefined;
    if (items?.length === 0) return undefined;
    const given = items ? { input: items } : { previous_response_id: responseId };
    const request = { model: this.#model, ...given } as ResponseCompactParams;
    const asking = this.#client.responses.compact(request, { signal });
    const { output, usage } = await untilAborted(asking, signal);
    return {
      items: compactionOutput(output, formatOf(history.items)) as TItem[],
      usage: compactionUsage(usage),
    };
  }

  /** What the session inside makes of items that are to be compared, if it does that, one for one. */
  #comparable(items: readonly unknown[]): readonly unknown[] {
    const made = this.#inner.prepareHistoryItemsForPersistenceComparison?.(structuredClone(items) as TItem[]);
    return made?.length === items.length ? made : items;
  }

  /** What a call hands on to the session inside: a run's context only to one that asks for it, else the signal. */
  #passedOn(given: object | undefined): (CapabilityCallOptions & object) | undefined {
    if (this.#inner.acceptsRunContext === true) return given;
    const { signal } = (given ?? {}) as CapabilityCallOptions;
    return isSignal(signal) ? { signal } : undefined;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns ? this.#turns.take(work) : work();
  }

  #drop(): void {
    this.#changes++;
    this.#drops++;
    this.#last = undefined;
  }
}

function readArgs(args: OpenAIResponsesCompactionArgs, mode: OpenAIResponsesCompactionMode) {
  const { responseId, compactionMode = mode, store, force } = args;
  if (responseId !== undefined && (typeof responseId !== 'string' || responseId === '')) {
    invalidArgument('`responseId` must be the id of a response', 'openai');
  }
  return { responseId, compactionMode: checkMode(compactionMode), store, force: force === true };
}

function checkMode(mode: OpenAIResponsesCompactionMode): OpenAIResponsesCompactionMode {
  if (['auto', 'input', 'previous_response_id'].includes(mode)) return mode;
  invalidArgument("`compactionMode` must be 'auto', 'input' or 'previous_response_id'", 'openai');
}

function isSignal(signal: unknown): signal is AbortSignal {
  return typeof signal === 'object' && signal !== null && 'aborted' in signal;
}
