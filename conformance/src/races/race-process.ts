import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AdapterFailure } from '../adapter-failure.ts';
import type { Outcome } from './operation.ts';
import type { Answer, NumberedOrder, Order } from './process-messages.ts';
import type { ProcessOpening } from './process-opening.ts';
import type { Racer } from './racer.ts';

/** Beside this module, as source or compiled, as this one is. */
const PROGRAM = new URL(`./child${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** Many such processes are started, and all load the same modules; where Node.js by itself keeps what it compiled. */
const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache');

/** Another process with racers in it, each with a client of its own. */
export class RaceProcess {
  readonly racers: Racer[] = [];
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #waiting = new Map<number, PromiseWithResolvers<Outcome | undefined>>();
  #numbers = 0;
  #isKilled = false;

  private constructor({ execArgv }: ProcessOpening) {
    this.#child = fork(fileURLToPath(PROGRAM), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_COMPILE_CACHE },
      ...(execArgv ? { execArgv: [...execArgv] } : {}),
    });
    this.#child.on('message', (answer) => this.#take(answer as Answer));
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#lose(error.message);
        // It never ran, so that it cannot exit.
        if (this.#child.pid === undefined) resolve();
      });
      this.#child.once('exit', (code, signal) => {
        this.#lose(`it ended with ${signal ?? code}`);
        resolve();
      });
    });
  }

  /** @param names - of the racers in it, all on one session */
  static async start(
    opening: ProcessOpening,
    sessionId: string,
    names: readonly string[],
  ): Promise<RaceProcess> {
    const started = new RaceProcess(opening);
    const { module, options } = opening;
    try {
      for (const [racer, name] of names.entries()) {
        await started.#tell({ kind: 'open', module, options, sessionId });
        const perform: Racer['perform'] = async (call) =>
          (await started.#tell({ kind: 'call', racer, call })) ?? { kind: 'unknown' };
        started.racers.push({ name, perform });
      }
    } catch (error) {
      await started.end();
      throw error;
    }
    return started;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** Ends the process in the middle of whatever it does. Of the calls under way nobody knows the outcome. */
  kill(): void {
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
  }

  #tell(order: Order): Promise<Outcome | undefined> {
    const number = this.#numbers++;
    const answered = Promise.withResolvers<Outcome | undefined>();
    this.#waiting.set(number, answered);
    // What cannot be sent comes back as an error here, and what never comes back as the end of the process.
    this.#child.send({ number, order } satisfies NumberedOrder, (error) => {
      if (error) this.#lose(error.message);
    });
    return answered.promise;
  }

  #take({ number, outcome, failure }: Answer): void {
    const answered = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (failure === undefined) answered?.resolve(outcome);
    else answered?.reject(new AdapterFailure('session in another process', failure));
  }

  #lose(why: string): void {
    for (const { resolve, reject } of this.#waiting.values()) {
      if (this.#isKilled) resolve(undefined);
      else reject(new AdapterFailure('process', `It is gone: ${why}`));
    }
    this.#waiting.clear();
  }
}
