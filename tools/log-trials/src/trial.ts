import { createHash } from 'node:crypto';
import type { Call, Operation, Outcome } from '@sessions/conformance';
import { SessionError, type SessionErrorCode } from '@sessions/core';
import type { EventLog, HistoryStore, LogRow } from '@sessions/core/store';
import { eventOf, lifeOf } from '../../../packages/core/src/log/log-event.ts';
import { MemoryLog, type Step } from '../../../packages/core/test/support/memory-log.ts';
import { Client } from './client.ts';
import type { Clock } from './clock.ts';
import { explained } from './explained.ts';
import type { Faults, Passing, Scenario } from './scenario.ts';

/** Makes a history of a log: the right one, or a mutant. */
export type MakeHistory = (
  log: EventLog,
  options: { readonly ttlMs: number | undefined; readonly refreshTtlOnRead: boolean },
) => HistoryStore;

/** Which of the next steps is taken, out of so many; `undefined` to end the run here. */
export type Decide = (options: number, situation: () => string) => number | undefined;

/** Something that may happen next. */
interface Option {
  readonly name: string;
  take(): void | Promise<void>;
}

/** A client that waits for its next step. */
interface Waiting {
  readonly step: Step<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** A step of a call that nobody waits for any more. */
interface Left {
  readonly name: string;
  readonly runner: Runner;
  readonly waiting: Waiting;
  /** What the store has to say, once the step is taken. */
  answer?: { readonly value: unknown };
}

/** A client's part of a race. */
interface Runner {
  readonly name: string;
  readonly isPaced: boolean;
  waiting: Waiting | undefined;
  /** All that it has seen so far, from which its own state follows. */
  seen: string;
}

/** What a run was like. */
export interface Run {
  /** What was wrong, if anything was. */
  readonly fault?: string | undefined;
  /** Whether it came to its end. */
  readonly isWhole: boolean;
  /** What happened, step by step. */
  readonly steps: readonly string[];
}

/** Far more than any run takes that comes to its end. */
const MOST_STEPS = 5_000;

/** How late a write that was sent may still be taken, in milliseconds. */
const LATEST_MS = 12 * 60 * 60 * 1_000;

/** What is before so long a time that no call spans it. */
const BEGIN_DAYS = 'begin days';

/** Far longer than any row stays that may go. */
const LONG_AFTER: Passing = { kind: 'pass', ms: 1_000 * 24 * 60 * 60 * 1_000, removes: true };

const NO_FAULTS: Required<Faults> = {
  fail: 0,
  lose: 0,
  resend: 0,
  delay: 0,
  crash: 0,
  giveUp: 0,
  leave: 0,
  remove: 0,
};

/** One run of a scenario. */
export class Trial {
  readonly #scenario: Scenario;
  readonly #make: MakeHistory;
  readonly #clock: Clock;
  readonly #rows = new Map<string, LogRow>();
  readonly #runners: Runner[] = [];
  readonly #clients = new Map<string, Client>();
  readonly #late: Step<unknown>[] = [];
  readonly #leftSteps: Left[] = [];
  /** The rows that were written late. */
  readonly #cameLate = new Set<string>();
  /** The parts that an event named at some time, by the beginning of their keys. */
  readonly #named = new Set<string>();
  readonly #left: { -readonly [Fault in keyof Faults]-?: number };
  readonly #operations: Operation[] = [];
  readonly #open = new Map<Runner, { readonly call: Call; readonly start: number }>();
  readonly #steps: string[] = [];
  #time = 0;
  #running = 0;
  #taken = 0;
  #onSettled: (() => void) | undefined;
  #isRace = false;
  #error: unknown;
  #hadFaults = false;

  constructor(scenario: Scenario, make: MakeHistory, clock: Clock) {
    this.#scenario = scenario;
    this.#make = make;
    this.#clock = clock;
    this.#left = { ...NO_FAULTS, ...scenario.faults };
  }

  async run(decide: Decide): Promise<Run> {
    for (const entry of this.#scenario.before ?? []) {
      if ('kind' in entry) this.#pass(entry);
      else await this.#alone(entry[0], entry[1]);
    }
    const isWhole = await this.#race(decide);
    if (!isWhole) return { isWhole, steps: this.#steps };
    let fault: string | undefined;
    try {
      if (this.#error) throw this.#error;
      fault = (await this.#checkEnd()) ?? explained(this.#operations);
      if (this.#error) throw this.#error;
    } catch (error) {
      fault = `A call threw: ${(error as Error).stack}`;
    }
    return { fault, isWhole, steps: this.#steps };
  }

  /** All that decides how the run goes on. */
  #situation(): string {
    const hash = createHash('sha1');
    for (const key of [...this.#rows.keys()].sort()) hash.update(JSON.stringify(this.#rows.get(key)));
    for (const { seen } of this.#runners) hash.update(`|${seen}`);
    for (const { kind, key } of this.#late) hash.update(`|${kind} ${key}`);
    for (const { name, answer } of this.#leftSteps) hash.update(`|${name} ${answer !== undefined}`);
    hash.update(JSON.stringify([this.#left, this.#operations, [...this.#open.values()], this.#clock.now]));
    return hash.digest('base64');
  }

  async #race(decide: Decide): Promise<boolean> {
    this.#isRace = true;
    for (const [name, calls] of Object.entries(this.#scenario.clients)) {
      const runner: Runner = { name, isPaced: true, waiting: undefined, seen: '' };
      this.#runners.push(runner);
      this.#running++;
      void this.#makeCalls(runner, calls);
    }
    for (;;) {
      await this.#settled();
      if (this.#error) break;
      const options = this.#options();
      if (options.length === 0) break;
      const chosen = options.length === 1 ? 0 : decide(options.length, () => this.#situation());
      if (chosen === undefined) return false;
      this.#steps.push(options[chosen]!.name);
      await options[chosen]!.take();
    }
    this.#isRace = false;
    return true;
  }

  async #makeCalls(runner: Runner, calls: readonly (Call | Passing)[]): Promise<void> {
    try {
      for (const call of calls) {
        await this.#step(runner, beginOf(call));
        if (call.kind === 'pass') {
          this.#pass(call);
          continue;
        }
        this.#open.set(runner, { call, start: this.#time++ });
        const outcome = await this.#client(runner.name, runner).make(call);
        this.#close(runner, outcome);
      }
    } catch (error) {
      this.#error ??= error;
    }
    this.#running--;
    if (this.#running === 0) this.#onSettled?.();
  }

  #close(runner: Runner, outcome: Outcome): void {
    const { call, start } = this.#open.get(runner)!;
    this.#open.delete(runner);
    this.#operations.push({ client: runner.name, call, outcome, start, end: this.#time++ });
    runner.seen = hashed(runner.seen, outcome);
    this.#steps.push(`  ${runner.name} ${JSON.stringify(call)} → ${JSON.stringify(outcome)}`);
  }

  #settled(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onSettled = resolve;
    });
  }

  #step<T>(runner: Runner, { act: take, ...step }: Step<T>): Promise<T> {
    const { kind, key } = step;
    const act = () => {
      // Whoever writes it did not see yet that its life is over.
      if (kind === 'put' && key.startsWith('o') && lifeOf(key) < this.#life()) this.#cameLate.add(key);
      return take();
    };
    return new Promise<T>((resolve, reject) => {
      runner.waiting = { step: { ...step, act }, resolve: resolve as (value: unknown) => void, reject };
      this.#running--;
      if (this.#running === 0) this.#onSettled?.();
    });
  }

  /** What may happen next, in an order of its own: what goes well first. */
  #options(): Option[] {
    const options: Option[] = [];
    const faults: Option[] = [];
    for (const runner of this.#runners) {
      const { waiting } = runner;
      if (!waiting) continue;
      const { step } = waiting;
      // No call lasts so long.
      if (step.key === BEGIN_DAYS && this.#open.size > 0) continue;
      const name = `${runner.name} ${step.kind} ${step.key}`;
      options.push({ name, take: () => this.#resume(runner, () => step.act()) });
      if (step.key.startsWith('begin')) continue;
      const may = (fault: keyof Faults, act: () => unknown) => {
        if (this.#left[fault] === 0) return;
        const take = () => {
          this.#left[fault]--;
          this.#hadFaults = true;
          this.#resume(runner, act);
        };
        faults.push({ name: `${name}: ${fault}`, take });
      };
      may('fail', () => fail('UNAVAILABLE'));
      if (step.kind !== 'scan') {
        may('lose', () => {
          step.act();
          fail('OUTCOME_UNKNOWN');
        });
        may('resend', () => {
          step.act();
          return step.act();
        });
        may('delay', () => {
          this.#late.push(step);
          fail('OUTCOME_UNKNOWN');
        });
      }
      if (this.#left.leave > 0)
        faults.push({ name: `${name}: leave`, take: () => this.#leave(name, runner) });
      if (this.#left.crash > 0) faults.push({ name: `${name}: crash`, take: () => this.#crash(runner) });
    }
    if (options.length === 0) return [];
    this.#late.forEach((step, index) => {
      const take = () => {
        this.#late.splice(index, 1);
        this.#actLate(step);
      };
      faults.push({ name: `late ${step.kind} ${step.key}`, take });
    });
    for (const left of this.#leftSteps) {
      const name = `late ${left.name}`;
      const { answer } = left;
      if (answer) {
        faults.push({ name: `${name}: answer`, take: () => this.#endLeft(left, () => answer.value) });
        faults.push({
          name: `${name}: lost`,
          take: () => this.#endLeft(left, () => fail('OUTCOME_UNKNOWN')),
        });
      } else {
        faults.push({ name, take: () => this.#takeLeft(left) });
        faults.push({ name: `${name}: fail`, take: () => this.#endLeft(left, () => fail('UNAVAILABLE')) });
      }
    }
    if (this.#left.remove > 0) {
      // The newest event stays while somebody may be about to write after it: docs/decisions/0009-event-log.md.
      const newest = [...this.#rows.keys()]
        .filter((key) => key.startsWith('e'))
        .sort()
        .at(-1);
      for (const key of this.#due()) {
        if (key === newest && this.#open.size > 0) continue;
        const take = () => {
          this.#left.remove--;
          this.#rows.delete(key);
        };
        faults.push({ name: `remove ${key}`, take });
      }
    }
    return [...options, ...faults];
  }

  #resume(runner: Runner, act: () => unknown): void {
    const { resolve, reject } = runner.waiting!;
    runner.waiting = undefined;
    this.#running++;
    try {
      const value = act();
      this.#noteParts();
      runner.seen = hashed(runner.seen, value);
      resolve(value);
    } catch (error) {
      runner.seen = hashed(runner.seen, (error as Error).message);
      reject(error);
    }
  }

  /** The call ends, and what it was waiting for goes on. */
  #leave(name: string, runner: Runner): void {
    this.#left.leave--;
    this.#hadFaults = true;
    this.#leftSteps.push({ name, runner, waiting: runner.waiting! });
    runner.waiting = undefined;
    runner.seen = hashed(runner.seen, 'left');
    this.#running++;
    this.#clients.get(runner.name)!.leave();
  }

  #takeLeft(left: Left): void {
    left.answer = { value: this.#actLate(left.waiting.step) };
    this.#noteParts();
  }

  async #endLeft(left: Left, answer: () => unknown): Promise<void> {
    this.#leftSteps.splice(this.#leftSteps.indexOf(left), 1);
    const { runner, waiting } = left;
    try {
      const value = answer();
      runner.seen = hashed(runner.seen, ['late', value]);
      waiting.resolve(value);
    } catch (error) {
      runner.seen = hashed(runner.seen, ['late', (error as Error).message]);
      waiting.reject(error);
    }
    // Whatever comes of it is done before anything else happens.
    await new Promise(setImmediate);
  }

  #noteParts(): void {
    for (const { key, head } of this.#rows.values()) {
      if (!key.startsWith('e') || !head.includes('"parts"')) continue;
      const { parts } = JSON.parse(head) as { readonly parts?: readonly [life: number, name: string] };
      if (parts) this.#named.add(`p${String(parts[0]).padStart(15, '0')}.${parts[1]}`);
    }
  }

  #crash(runner: Runner): void {
    this.#left.crash--;
    this.#hadFaults = true;
    runner.waiting = undefined;
    runner.seen = hashed(runner.seen, 'crash');
    if (this.#open.has(runner)) this.#close(runner, { kind: 'unknown' });
  }

  #actLate({ key, act }: Step<unknown>): unknown {
    const value = act();
    if (value === true) this.#cameLate.add(key);
    return value;
  }

  #takeLate(): void {
    for (const step of this.#late.splice(0)) this.#actLate(step);
    for (const left of this.#leftSteps) if (!left.answer) this.#takeLeft(left);
  }

  #due(): string[] {
    const isDue = ({ removeAt }: LogRow) => removeAt !== undefined && removeAt <= this.#clock.now;
    return [...this.#rows.values()].filter(isDue).map(({ key }) => key);
  }

  /** Time passes. For the checker, the end of a session is a clear that nobody asked for. */
  #pass({ ms, isEnd, removes, asleep }: Passing): void {
    if (ms > LATEST_MS) this.#takeLate();
    this.#clock.now += ms;
    if (asleep) this.#clock.stoodStill += ms;
    if (isEnd) {
      const start = this.#time++;
      const end = this.#time++;
      this.#operations.push({
        client: 'clock',
        call: { kind: 'clear' },
        outcome: { kind: 'done' },
        start,
        end,
      });
      // What was under way ends no later than that, although it may take effect after it.
      for (const _ of this.#open)
        this.#operations.push({
          client: 'clock',
          call: { kind: 'clear' },
          outcome: { kind: 'unknown' },
          start,
          end,
        });
    }
    if (removes) for (const key of this.#due()) this.#rows.delete(key);
  }

  #client(name: string, runner: Runner | undefined): Client {
    const known = this.#clients.get(name);
    if (known) return known;
    const {
      maxRowBytes,
      pageRows = 1,
      throughIndex,
      ttlMs,
      refreshTtlOnRead = false,
      ttlMsOf = {},
    } = this.#scenario;
    const takeStep = async <T>(step: Step<T>): Promise<T> => {
      // Kept, since whoever is told may take it for a store that does not answer.
      if (++this.#taken > MOST_STEPS) {
        this.#error ??= new Error('The calls of this run never end.');
        throw this.#error;
      }
      // A store sends nothing more for a call that was left.
      if (step.signal.aborted) fail('UNAVAILABLE');
      const paced = this.#isRace && (runner ?? this.#runners.find((one) => one.name === name));
      return paced ? this.#step(paced, step) : step.act();
    };
    const log = new MemoryLog(this.#rows, { takeStep, maxRowBytes, pageRows, throughIndex });
    const store = this.#make(log, { ttlMs: name in ttlMsOf ? ttlMsOf[name] : ttlMs, refreshTtlOnRead });
    const givesUp = () => {
      if (this.#left.giveUp === 0) return false;
      this.#left.giveUp--;
      return true;
    };
    const client = new Client(name, store, { givesUp });
    this.#clients.set(name, client);
    return client;
  }

  /** A call that nobody disturbs. */
  async #alone(name: string, call: Call): Promise<Outcome> {
    const start = this.#time++;
    const outcome = await this.#client(name, undefined).make(call);
    this.#operations.push({ client: name, call, outcome, start, end: this.#time++ });
    this.#steps.push(`  ${name} ${JSON.stringify(call)} → ${JSON.stringify(outcome)}`);
    return outcome;
  }

  /** What has to hold after the race, for a process that comes then. */
  async #checkEnd(): Promise<string | undefined> {
    for (const passing of this.#scenario.after ?? []) this.#pass(passing);
    this.#takeLate();
    for (const left of this.#leftSteps.slice()) {
      await this.#endLeft(left, () => left.answer!.value);
    }
    if (this.#scenario.leavesNothing && !this.#hadFaults && this.#rows.size > 0)
      return `Rows for ever: ${[...this.#rows.keys()]}`;
    const first = await this.#alone('Y', { kind: 'read' });
    // What was not erased, or was written for nothing, can only be so because something went wrong. Or the session is over.
    if (!this.#hadFaults && !this.#operations.some(({ client }) => client === 'clock')) {
      const litter = this.#litter(first);
      if (litter) return `Left behind although nothing went wrong: ${litter}`;
    }
    await this.#alone('Z', { kind: 'add', items: ['z'] });
    const second = await this.#alone('Y', { kind: 'read' });
    const litter = this.#litter(second) ?? this.#earlierOperation();
    if (litter) return `Left behind after the next write: ${litter}`;
    // Of a session without an end the store may remove what is due, however long after, and it is all the same.
    const isEndless = this.#scenario.ttlMs === undefined;
    this.#pass({ ...LONG_AFTER, isEnd: !isEndless });
    await this.#alone('W', { kind: 'read' });
    await this.#alone('W', { kind: 'add', items: ['w'] });
    await this.#alone('X', { kind: 'clear' });
    await this.#alone('Y', { kind: 'read' });
    const rest = [...this.#rows.values()].filter(
      ({ texts, head }) => texts.length > 0 || head.includes('"operation"'),
    );
    if (rest.length > 0) return `Left behind after a clear: ${JSON.stringify(rest)}`;
    this.#pass(LONG_AFTER);
    await this.#alone('V', { kind: 'read' });
    await this.#alone('V', { kind: 'add', items: ['v'] });
    await this.#alone('U', { kind: 'read' });
    const more = [...this.#rows.keys()].filter((key) => !this.#cameLate.has(key));
    return more.length > 1 ? `Left for ever after a clear: ${more}` : undefined;
  }

  /**
   * Content that is not part of the history. Parts that came late stay until a clear, and so do those that no event came
   * to name, if something went wrong.
   */
  #litter(read: Outcome): string | undefined {
    if (read.kind !== 'read') return undefined;
    const live = read.items.join('\n');
    const isLitter = ({ key, texts }: LogRow) => {
      if (texts.length === 0) return false;
      if (!key.startsWith('p')) return texts.some((text) => !live.includes(text));
      const isNamed = this.#named.has(key.slice(0, key.lastIndexOf('.')));
      if (this.#cameLate.has(key) || (this.#hadFaults && !isNamed)) return false;
      return !isNamed || texts.some((text) => !live.includes(text));
    };
    return [...this.#rows.values()].find(isLitter)?.key;
  }

  /** The row of an operation that was forgotten with its life. */
  #earlierOperation(): string | undefined {
    const life = this.#life();
    const isEarlier = (key: string) => key.startsWith('o') && lifeOf(key) < life;
    return [...this.#rows.keys()].find((key) => isEarlier(key) && !this.#cameLate.has(key));
  }

  /** The life of the newest event. */
  #life(): number {
    const events = [...this.#rows.keys()].filter((key) => key.startsWith('e'));
    const newest = this.#rows.get(events.sort().at(-1) ?? '');
    return newest ? eventOf(newest).life.seq : 0;
  }
}

/** Before its first step, a call waits for its turn. */
function beginOf(call: Call | Passing): Step {
  const isLong = call.kind === 'pass' && call.ms > LATEST_MS;
  const key = isLong ? BEGIN_DAYS : `begin ${call.kind}`;
  return { kind: 'scan', key, signal: new AbortController().signal, act: () => undefined };
}

function fail(code: SessionErrorCode): never {
  throw new SessionError(code);
}

function hashed(before: string, value: unknown): string {
  return createHash('sha1')
    .update(`${before}${JSON.stringify(value) ?? ''}`)
    .digest('base64');
}
