import { ModelledSession, type PreparedCall, prepareAborted } from './modelled-session.ts';
import { describeExpected, describeOutcome, isAsExpected, outcomeOf } from './outcome.ts';
import { spoil } from './spoil.ts';
import type { Instance, Step } from './step.ts';
import type { TwoInstances } from './two-instances.ts';

/** An adapter and the model are not of one mind. */
export class Divergence extends Error {
  /** What was done, up to the call that showed it. */
  readonly lines: readonly string[];
  readonly expected: string;
  readonly actual: string;

  constructor(lines: readonly string[], expected: string, actual: string) {
    super(lines.at(-1));
    this.lines = lines;
    this.expected = expected;
    this.actual = actual;
  }
}

/** Longer than any adapter's own time for one call, 10 seconds, and the end of it. */
const CALL_MS = 12_000;

/**
 * Plays a history on a new session, and on the model beside it.
 *
 * @param signal - ends it before the next step
 * @throws Divergence
 */
export async function play(
  steps: readonly Step[],
  instances: TwoInstances,
  signal: AbortSignal,
): Promise<void> {
  const playing = new Playing(instances, new ModelledSession(await instances.begin()));
  for (const together of madeTogether(steps)) {
    signal.throwIfAborted();
    await playing.take(together);
  }
  const last = steps.at(-1)?.through;
  await playing.take([{ step: 'readAll', through: last === 'a' ? 'b' : 'a' }]);
  await instances.end();
}

/** Each step alone, but for calls that are not awaited: they are with the calls that follow through the same instance. */
function madeTogether(steps: readonly Step[]): Step[][] {
  const all: Step[][] = [];
  let before: Step | undefined;
  for (const step of steps) {
    const follows = before?.step === 'call' && !before.awaited && before.through === step.through;
    if (follows && step.step === 'call') all.at(-1)!.push(step);
    else all.push([step]);
    before = step;
  }
  return all;
}

class Playing {
  readonly #instances: TwoInstances;
  readonly #session: ModelledSession;
  readonly #lines: string[] = [];

  constructor(instances: TwoInstances, session: ModelledSession) {
    this.#instances = instances;
    this.#session = session;
  }

  /** Takes one step, or makes several calls before any of them has settled. */
  async take(together: readonly Step[]): Promise<void> {
    const calls: PreparedCall[] = [];
    for (const step of together) {
      if (step.step === 'newInstance') {
        this.#lines.push(`${step.through} = another instance of the session`);
        this.#instances.renew(step.through);
      } else if (step.step === 'reopen') {
        this.#lines.push(`${step.through} = an instance on another connection, its own being closed`);
        await this.#instances.reopen(step.through);
      } else {
        const call = this.#prepare(step);
        if (call) calls.push(call);
      }
    }
    if (calls.length > 0) await this.#make(together[0]!.through, calls);
  }

  #prepare(step: Exclude<Step, { step: 'newInstance' | 'reopen' }>): PreparedCall | undefined {
    if (step.step === 'aborted') return prepareAborted(step.call);
    return this.#session.prepare(step.step === 'call' ? step.call : { call: 'getItems', limit: undefined });
  }

  /** Makes all calls at once, and then looks at what each came to. */
  async #make(through: Instance, calls: readonly PreparedCall[]): Promise<void> {
    const sources = calls.map(({ source }) => `${through}.${source}`);
    this.#lines.push(sources.length === 1 ? sources[0]! : `Promise.all([${sources.join(', ')}])`);
    const session = this.#instances.get(through);
    // The function is async for what a call throws without a promise.
    const running = calls.map((call) => outcomeOf((async () => call.make(session))(), CALL_MS));
    for (const [at, outcome] of (await Promise.all(running)).entries()) {
      const wanted = calls[at]!.expected;
      if (!isAsExpected(outcome, wanted)) {
        throw new Divergence(this.#lines, describeExpected(wanted), describeOutcome(outcome));
      }
      if (outcome.kind === 'returned') spoil(outcome.value);
    }
  }
}
