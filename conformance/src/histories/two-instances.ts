import type { AnySession, Connection } from '../adapter.ts';
import type { Bench } from '../bench.ts';
import type { Instance } from './step.ts';

/** Two instances of one session, each on a connection of its own. The connections outlast the session. */
export class TwoInstances {
  readonly #bench: Bench;
  readonly #connections = new Map<Instance, Connection>();
  readonly #instances = new Map<Instance, AnySession>();
  /** Those that others took the place of. */
  #former: AnySession[] = [];
  #sessionId = '';

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** Begins a session that nobody has used, and returns its id. */
  async begin(): Promise<string> {
    this.#sessionId = this.#bench.freshId();
    for (const instance of ['a', 'b'] as const) {
      if (!this.#connections.has(instance)) this.#connections.set(instance, await this.#bench.connect());
      this.renew(instance);
    }
    return this.#sessionId;
  }

  get(instance: Instance): AnySession {
    return this.#instances.get(instance)!;
  }

  /** Another instance takes the place of one. */
  renew(instance: Instance): void {
    const former = this.#instances.get(instance);
    if (former) this.#former.push(former);
    const session = this.#connections.get(instance)!.session({ sessionId: this.#sessionId });
    this.#instances.set(instance, session);
  }

  /** The connection is closed, and another one opened in its place. */
  async reopen(instance: Instance): Promise<void> {
    await this.get(instance).close?.();
    await this.#connections.get(instance)!.close();
    this.#connections.set(instance, await this.#bench.connect());
    this.renew(instance);
  }

  /** Leaves nothing of the session. */
  async end(): Promise<void> {
    await this.get('a').clearSession();
    for (const session of [...this.#former, ...this.#instances.values()]) await session.close?.();
    this.#former = [];
    this.#instances.clear();
  }
}
