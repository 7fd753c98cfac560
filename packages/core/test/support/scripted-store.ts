import { SessionError } from '../../src/errors.ts';
import {
  HELD_MARK,
  type HistoryChange,
  type HistoryCommit,
  type HistoryQuery,
  type HistoryRead,
  type HistoryStore,
  isPop,
  type StoreCall,
} from '../../src/store.ts';

/** What the store does with one call: `apply` is the honest work, to be done, held back, repeated or left out. */
export type Step<T> = (apply: () => T, call: StoreCall) => T | Promise<T>;

const honest = <T>(apply: () => T): T => apply();

/** An honest history in an array, which can be told to do otherwise. It keeps all four rules of `commit` in order. */
export class ScriptedStore implements HistoryStore {
  records: string[] = [];
  readonly operations = new Map<string, string>();
  readonly queries: HistoryQuery[] = [];
  readonly changes: HistoryChange[] = [];
  closes = 0;
  /** The most calls that were ever under way at once. */
  mostAtOnce = 0;
  everyRead: Step<HistoryRead> = honest;
  everyCommit: Step<HistoryCommit> = honest;
  everyClose: () => Promise<void> = async () => undefined;
  readonly #nextReads: Step<HistoryRead>[] = [];
  readonly #nextCommits: Step<HistoryCommit>[] = [];
  readonly #done = new Map<string, HistoryCommit>();
  #version = 0;
  #underWay = 0;

  get calls(): number {
    return this.queries.length + this.changes.length;
  }

  onRead(...steps: Step<HistoryRead>[]): void {
    this.#nextReads.push(...steps);
  }

  onCommit(...steps: Step<HistoryCommit>[]): void {
    this.#nextCommits.push(...steps);
  }

  read(query: HistoryQuery, call: StoreCall): Promise<HistoryRead> {
    this.queries.push(query);
    return this.#run(this.#nextReads.shift() ?? this.everyRead, () => this.#read(query), call);
  }

  commit(change: HistoryChange, call: StoreCall): Promise<HistoryCommit> {
    this.changes.push(change);
    return this.#run(this.#nextCommits.shift() ?? this.everyCommit, () => this.apply(change), call);
  }

  async close(): Promise<void> {
    this.closes++;
    await this.everyClose();
  }

  /** Also for another writer, who comes in between. */
  apply(change: HistoryChange): HistoryCommit {
    const { id, drop, add, ifVersion, operation, clear } = change;
    const known = this.#done.get(id);
    if (known) return known;
    const digest = operation && this.operations.get(operation.id);
    if (digest !== undefined) {
      if (digest !== operation?.digest) throw new SessionError('OPERATION_CONFLICT');
      return {};
    }
    if (ifVersion !== undefined && ifVersion !== `v${this.#version}`) throw new SessionError('CONFLICT');
    const popped = isPop(change) ? this.records.at(-1) : undefined;
    if (popped?.startsWith(HELD_MARK)) throw new SessionError('UNREADABLE_ITEM');
    const kept = drop === 'all' ? 0 : Math.max(0, this.records.length - drop);
    this.records = [...this.records.slice(0, kept), ...add];
    if (clear) this.operations.clear();
    if (operation) this.operations.set(operation.id, operation.digest);
    this.#version++;
    this.#done.set(id, { popped });
    return { popped };
  }

  #read({ limit = Number.POSITIVE_INFINITY }: HistoryQuery): HistoryRead {
    const from = Math.max(0, this.records.length - limit);
    return { records: this.records.slice(from), version: `v${this.#version}` };
  }

  async #run<T>(step: Step<T>, apply: () => T, call: StoreCall): Promise<T> {
    this.#underWay++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#underWay);
    try {
      return await step(apply, call);
    } finally {
      this.#underWay--;
    }
  }
}

/** Never answers. */
export const hang = (): Promise<never> => new Promise(() => undefined);

/** Does nothing and throws. */
export const fail = (error: unknown) => (): never => {
  throw error;
};

/** Applies the change, and the reply is lost. */
export const loseReply = (apply: () => unknown): never => {
  apply();
  throw new SessionError('OUTCOME_UNKNOWN');
};

/** Waits for the gate, then does the honest work. */
export const behind =
  (gate: Promise<unknown>) =>
  async <T>(apply: () => T): Promise<T> => {
    await gate;
    return apply();
  };
