import { AsyncLocalStorage } from 'node:async_hooks';
import { SessionError } from '@sessions/core';
import type { HistoryChange, HistoryStore, LogRow } from '@sessions/core/store';
import { Random } from '../../../conformance/src/races/random.ts';
import { MemoryLog, type Step } from '../../../packages/core/test/support/memory-log.ts';
import { Clock } from './clock.ts';
import { Followed, type FollowedCall, Wrong, wrong } from './followed.ts';
import type { MakeHistory } from './trial.ts';

/** How a session is used. */
export interface Usage {
  /** The time to live that each client gives the session. */
  readonly ttlMsOf: readonly (number | undefined)[];
  readonly refreshTtlOnRead: boolean;
  /** How far clocks are from the right time, in milliseconds. */
  readonly skewMs: number;
  /** How likely it is that a step goes wrong. */
  readonly faults: number;
  /** How likely it is that time passes before a step. */
  readonly slow: number;
}

const SECOND = 1_000;
const HOUR = 60 * 60 * SECOND;
const DAY = 24 * HOUR;

/** How often clients come, each for a few calls. */
const VISITS = 300;

/** No driver goes on sending for so long, and no call lasts so long, in milliseconds. */
const LATEST_MS = 30 * SECOND;

/** How often a client tries what failed. */
const TRIES = 5;

/** Far more than any call takes. */
const MOST_STEPS = 3_000;

interface Waiting {
  readonly step: Step<unknown>;
  readonly by: Visitor;
  readonly made: FollowedCall | undefined;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** What the store has to say, of a step whose call was left. */
  answer?: { readonly value: unknown };
}

/** A client while it is there. */
interface Visitor {
  readonly name: string;
  readonly clockIsOff: number;
  readonly store: HistoryStore;
  timeUp: AbortController;
  call: FollowedCall | undefined;
  waiting: Waiting | undefined;
  steps: number;
  hadFault: boolean;
}

/** What a failure of a call says. */
type Failure = { readonly code: string };

/**
 * One session over months: clients that come and go, faults at their steps, time that passes, and a store that removes what
 * is due, all from a seed. Each insert is followed, and each answer held to what the session was.
 */
export class Months {
  readonly #random: Random;
  readonly #usage: Usage;
  readonly #make: MakeHistory;
  readonly #clock = new Clock();
  readonly #who = new AsyncLocalStorage<Visitor>();
  readonly #rows = new Map<string, LogRow>();
  readonly #followed = new Followed();
  readonly #visitors: Visitor[];
  readonly #maxRowBytes: number;
  readonly #pageRows: number;
  /** Writes of which the caller heard nothing, and that are taken later. */
  readonly #late: Waiting[] = [];
  /** Steps of calls that nobody waits for any more. */
  readonly #left: Waiting[] = [];
  readonly #digests = new Map<string, readonly string[]>();
  readonly steps: string[] = [];
  #items = 0;
  #changes = 0;
  #running = 0;
  #onSettled: (() => void) | undefined;
  #error: unknown;

  constructor(usage: Usage, make: MakeHistory, seed: number) {
    this.#usage = usage;
    this.#make = make;
    this.#random = new Random(seed);
    this.#maxRowBytes = this.#random.pick([400, 100_000]);
    this.#pageRows = this.#random.pick([1, 2, 5, 1_000]);
    this.#visitors = usage.ttlMsOf.map((_, index) => this.#visitor(index));
  }

  /** What was wrong, if anything was. */
  async run(): Promise<string | undefined> {
    using _installed = this.#clock.install(() => this.#who.getStore()?.clockIsOff ?? 0);
    try {
      for (let visits = 0; visits < VISITS; visits++) {
        await this.#visit();
        const ms = this.#random.below(
          this.#random.pick([2 * SECOND, 2 * SECOND, LATEST_MS, ...this.#spans()]),
        );
        if (ms > LATEST_MS) await this.#takeAllLate();
        this.#pass(ms);
        this.#removeDue(this.#random.next(), true);
      }
      await this.#takeAllLate();
      await this.#end();
      return undefined;
    } catch (error) {
      return error instanceof Wrong ? error.message : String((error as Error).stack);
    }
  }

  /** Times of a kind that matters to a session. */
  #spans(): number[] {
    const [ttlMs = DAY] = this.#usage.ttlMsOf;
    return [ttlMs / 3, ttlMs, 1.5 * ttlMs, 2 * DAY];
  }

  #visitor(index: number): Visitor {
    const { ttlMsOf, refreshTtlOnRead, skewMs } = this.#usage;
    const takeStep = <T>(step: Step<T>) => this.#wait(visitor, step);
    const log = new MemoryLog(this.#rows, {
      takeStep,
      maxRowBytes: this.#maxRowBytes,
      pageRows: this.#pageRows,
    });
    const visitor: Visitor = {
      name: 'ABC'[index]!,
      clockIsOff: index === 0 ? 0 : Math.floor((this.#random.next() - 0.5) * 2 * skewMs),
      store: this.#make(log, { ttlMs: ttlMsOf[index], refreshTtlOnRead }),
      timeUp: new AbortController(),
      call: undefined,
      waiting: undefined,
      steps: 0,
      hadFault: false,
    };
    return visitor;
  }

  #nowOf({ clockIsOff }: Visitor): number {
    return this.#clock.now + clockIsOff;
  }

  async #visit(): Promise<void> {
    for (const [index] of this.#visitors.entries())
      if (index === 0 || this.#random.chance(0.5)) this.#launch(this.#visitors[index]!);
    for (;;) {
      if (this.#running > 0) await new Promise<void>((resolve) => (this.#onSettled = resolve));
      if (this.#error) throw this.#error;
      const waiting = this.#visitors.flatMap((visitor) => visitor.waiting ?? []);
      if (waiting.length === 0) return;
      if (this.#late.length > 0 && this.#random.chance(0.15)) this.#takeLate();
      else if (this.#left.length > 0 && this.#random.chance(0.2)) await this.#goOnWithLeft();
      else {
        if (this.#random.chance(0.05)) this.#removeDue(0.3, false);
        if (this.#random.chance(this.#usage.slow)) this.#pass(this.#random.below(SECOND));
        this.#decide(this.#random.pick(waiting));
      }
    }
  }

  /** A client makes a few calls. */
  #launch(visitor: Visitor): void {
    this.#running++;
    void this.#who.run(visitor, async () => {
      try {
        for (let left = 1 + this.#random.below(3); left > 0; left--) await this.#call(visitor);
      } catch (error) {
        this.#error ??= error;
      }
      this.#settle();
    });
  }

  #settle(): void {
    if (--this.#running === 0) this.#onSettled?.();
  }

  #wait<T>(by: Visitor, step: Step<T>): Promise<T> {
    // A store sends nothing more for a call that was left.
    if (step.signal.aborted) return Promise.reject(new SessionError('UNAVAILABLE'));
    if (++by.steps > MOST_STEPS) wrong('A call never ends');
    return new Promise<T>((resolve, reject) => {
      by.waiting = { step, by, made: by.call, resolve: resolve as (value: unknown) => void, reject };
      this.#settle();
    });
  }

  /** Takes a step, and follows what it does. */
  #take({ step: { kind, key, act }, by }: Waiting): unknown {
    const newest = this.#newest();
    const isNew = !this.#rows.has(key);
    const value = act();
    if (kind !== 'put' || !key.startsWith('e') || value !== true) return value;
    const row = this.#rows.get(key)!;
    this.steps.push(`  ${by.name} wrote ${key} ${row.rev} ${row.head.slice(0, 300)} ${row.removeAt}`);
    if (isNew) this.#followed.insert(row, newest, this.#nowOf(by));
    else this.#followed.rewrite(row);
    return value;
  }

  #newest(): string | undefined {
    const events = [...this.#rows.keys()].filter((key) => key.startsWith('e'));
    return events.sort().at(-1);
  }

  /** What becomes of a step. */
  #decide(waiting: Waiting): void {
    const { step, by } = waiting;
    if (!this.#random.chance(this.#usage.faults)) {
      this.#answer(waiting, () => this.#take(waiting));
      return;
    }
    by.hadFault = true;
    const answers: Readonly<Record<string, () => unknown>> = {
      fail: () => fail('UNAVAILABLE'),
      lose: () => {
        this.#take(waiting);
        fail('OUTCOME_UNKNOWN');
      },
      resend: () => {
        this.#take(waiting);
        return step.act();
      },
      delay: () => {
        this.#late.push(waiting);
        fail('OUTCOME_UNKNOWN');
      },
    };
    const kinds = step.kind === 'scan' ? ['fail'] : Object.keys(answers);
    const kind = this.#random.pick([...kinds, 'crash', 'leave']);
    this.steps.push(`  ${by.name} ${step.kind} ${step.key}: ${kind}`);
    const answer = answers[kind];
    if (answer) this.#answer(waiting, answer);
    else this.#leave(waiting, kind === 'crash');
  }

  #answer(waiting: Waiting, act: () => unknown): void {
    waiting.by.waiting = undefined;
    this.#running++;
    try {
      waiting.resolve(act());
    } catch (error) {
      if (error instanceof Wrong) throw error;
      waiting.reject(error);
    }
  }

  /** Nobody waits for a call any more: its time is up, or its process is gone. */
  #leave(waiting: Waiting, isCrash: boolean): void {
    const { by } = waiting;
    by.waiting = undefined;
    if (isCrash) {
      this.#visitors[this.#visitors.indexOf(by)] = this.#visitor('ABC'.indexOf(by.name));
      if (this.#random.chance(0.3)) this.#late.push(waiting);
      return;
    }
    this.#left.push(waiting);
    by.timeUp.abort();
    this.#launch(by);
  }

  #takeLate(): void {
    const [waiting] = this.#late.splice(this.#random.below(this.#late.length), 1);
    this.steps.push(`  late ${waiting!.step.kind} ${waiting!.step.key}`);
    this.#take(waiting!);
  }

  async #goOnWithLeft(): Promise<void> {
    const waiting = this.#random.pick(this.#left);
    const { step, by, answer } = waiting;
    if (!answer && this.#random.chance(0.6)) {
      this.steps.push(`  ${by.name} ${step.kind} ${step.key} of a call that was left`);
      waiting.answer = { value: this.#take(waiting) };
      return;
    }
    this.#left.splice(this.#left.indexOf(waiting), 1);
    await this.#who.run(by, async () => {
      if (!answer) waiting.reject(new SessionError('UNAVAILABLE'));
      else if (this.#random.chance(0.3)) waiting.reject(new SessionError('OUTCOME_UNKNOWN'));
      else waiting.resolve(answer.value);
      await new Promise(setImmediate);
    });
  }

  async #takeAllLate(): Promise<void> {
    while (this.#late.length > 0) this.#takeLate();
    while (this.#left.length > 0) await this.#goOnWithLeft();
  }

  #pass(ms: number): void {
    this.#clock.now += ms;
    if (ms > HOUR) this.steps.push(`${(ms / HOUR).toFixed(1)} hours`);
  }

  /** The newest event stays while somebody may be about to write after it: docs/decisions/0009-event-log.md. */
  #removeDue(probability: number, isQuiet: boolean): void {
    const newest = this.#newest();
    for (const { key, removeAt } of [...this.#rows.values()]) {
      if (removeAt === undefined || removeAt > this.#clock.now || !this.#random.chance(probability)) continue;
      if (key !== newest || isQuiet) this.#rows.delete(key);
    }
  }

  async #call(visitor: Visitor): Promise<void> {
    const dice = this.#random.next();
    const batch = () => Array.from({ length: 1 + this.#random.below(3) }, () => this.#item());
    if (dice < 0.3) return this.#commit(visitor, { drop: 0, add: batch() });
    if (dice < 0.5) return this.#commit(visitor, { drop: 1, add: [] });
    if (dice < 0.54) return this.#commit(visitor, { drop: 'all', add: [], clear: true });
    if (dice < 0.6)
      return this.#commit(visitor, { drop: 'all', add: this.#random.chance(0.2) ? [] : batch() });
    if (dice < 0.75) {
      const id = `x${this.#random.below(this.#random.pick([4, 30]))}`;
      if (!this.#digests.has(id) || this.#random.chance(0.1)) this.#digests.set(id, batch());
      const add = this.#digests.get(id)!;
      return this.#commit(visitor, { drop: 0, add, operation: { id, digest: String(add) } });
    }
    if (dice > 0.82) return void (await this.#read(visitor, this.#random.pick([undefined, 1, 3])));
    const seen = await this.#read(visitor, 1 + this.#random.below(3));
    if (!seen || seen.records.length === 0) return;
    const operation = this.#random.chance(0.5)
      ? { id: `r${this.#random.below(20)}`, digest: 'd' }
      : undefined;
    const { records, version: ifVersion } = seen;
    await this.#commit(visitor, { drop: records.length, add: batch(), ifVersion, operation }, records);
  }

  #item(): string {
    const name = `i${++this.#items}.`;
    return this.#random.chance(0.25) ? name.repeat(1 + this.#random.below(200)).slice(0, 900) : name;
  }

  async #read(visitor: Visitor, limit: number | undefined) {
    const call = this.#begin(visitor);
    const made = await this.#insist(visitor, () => visitor.store.read({ limit, versioned: true }, call));
    if ('code' in made) return this.#mayFail(visitor, made);
    const { records } = made.value;
    const seen = this.#followed.seenBy(visitor.call!, this.#nowOf(visitor));
    const isRight = seen.some(
      (items) => String(limit === undefined ? items : items.slice(-limit)) === String(records),
    );
    if (!isRight) wrong(`${visitor.name} read ${records} instead of ${seen.join(' or ')}`);
    return made.value;
  }

  async #commit(
    visitor: Visitor,
    unnamed: Omit<HistoryChange, 'id'>,
    expected?: readonly string[],
  ): Promise<void> {
    const change = { ...unnamed, id: `${visitor.name}${++this.#changes}`.padEnd(36, '-') };
    const call = this.#begin(visitor, change, expected);
    const made = await this.#insist(visitor, () => visitor.store.commit(change, call));
    const followed = visitor.call!;
    if ('code' in made) {
      if (made.code !== 'OUTCOME_UNKNOWN' && followed.made)
        wrong(`${change.id}: ${made.code}, though it was made`);
      if (made.code === 'OPERATION_CONFLICT' && !this.#followed.isOther(followed))
        wrong(`${change.id}: ${made.code}`);
      return this.#mayFail(visitor, made);
    }
    const { popped } = made.value;
    if (followed.made && popped !== followed.made.popped && !followed.made.isFresh)
      wrong(`${change.id} gave ${popped} instead of ${followed.made.popped}`);
    if (
      !followed.made &&
      (popped !== undefined || !this.#followed.needsNothing(followed, this.#nowOf(visitor)))
    )
      wrong(`${change.id} is said to be done, and is not`);
  }

  #begin(visitor: Visitor, change?: HistoryChange, expected?: readonly string[]): AbortController {
    visitor.timeUp = new AbortController();
    visitor.call = this.#followed.begin({ change, expected, begunAt: this.#nowOf(visitor) });
    visitor.steps = 0;
    visitor.hadFault = false;
    const { id = 'read', ...what } = change ?? {};
    this.steps.push(`${visitor.name} ${id} ${JSON.stringify(what).slice(0, 100)}`);
    return visitor.timeUp;
  }

  #mayFail({ name, hadFault }: Visitor, { code }: Failure): undefined {
    if (!hadFault && !code.endsWith('CONFLICT')) wrong(`${name}: ${code}, though nothing went wrong`);
  }

  /** Tries as a session does. Never ends for a call that was left. */
  async #insist<T>(visitor: Visitor, attempt: () => Promise<T>): Promise<{ readonly value: T } | Failure> {
    const { timeUp } = visitor;
    let isUnknown = false;
    for (let tries = 1; ; tries++) {
      let made: { readonly value: T } | Failure;
      try {
        made = { value: await attempt() };
      } catch (error) {
        const { code } = error as Partial<Failure>;
        if (!['UNAVAILABLE', 'OUTCOME_UNKNOWN', 'CONFLICT', 'OPERATION_CONFLICT'].includes(code!))
          throw error;
        made = { code: code! };
      }
      if (timeUp.signal.aborted) return new Promise(() => {});
      if ('value' in made || made.code.endsWith('CONFLICT')) return made;
      isUnknown ||= made.code === 'OUTCOME_UNKNOWN';
      if (tries === TRIES) return { code: isUnknown ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE' };
    }
  }

  /** What has to hold when nobody uses the session any more: nothing stays of it, at the latest after a clear. */
  async #end(): Promise<void> {
    if (this.#usage.ttlMsOf.includes(undefined)) {
      const last = this.#visitor(this.#usage.ttlMsOf.indexOf(undefined));
      this.#visitors.splice(0, Number.POSITIVE_INFINITY, last);
      this.#running++;
      void this.#who.run(last, async () => {
        const change: HistoryChange = { id: 'Z'.padEnd(36, '-'), drop: 'all', add: [], clear: true };
        await last.store.commit(change, this.#begin(last, change));
        this.#settle();
      });
      while (this.#running > 0 || last.waiting) {
        if (this.#running > 0) await new Promise<void>((resolve) => (this.#onSettled = resolve));
        const { waiting } = last;
        if (waiting) this.#answer(waiting, () => this.#take(waiting));
      }
    }
    for (let months = 0; months < 1_000; months++) {
      this.#pass(30 * DAY);
      this.#removeDue(1, true);
    }
    if (this.#rows.size > 0)
      wrong(`Rows for ever: ${JSON.stringify([...this.#rows.values()]).slice(0, 1_000)}`);
  }
}

function fail(code: 'UNAVAILABLE' | 'OUTCOME_UNKNOWN'): never {
  throw new SessionError(code);
}
