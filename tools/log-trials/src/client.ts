import type { Call, Outcome } from '@sessions/conformance';
import { SessionError } from '@sessions/core';
import type { HistoryChange, HistoryStore } from '@sessions/core/store';

/** How often a client tries what failed before it says that it does not know. */
const TRIES = 6;

export interface ClientOptions {
  /** Whether to give up after a failure. */
  readonly givesUp: () => boolean;
}

/** Makes calls of a session on a store of histories, and tries again as a session does, under the same id. */
export class Client {
  readonly name: string;
  readonly #store: HistoryStore;
  readonly #givesUp: () => boolean;
  /** Of the call under way. */
  #timeUp = new AbortController();
  #changes = 0;

  constructor(name: string, store: HistoryStore, { givesUp }: ClientOptions) {
    this.name = name;
    this.#store = store;
    this.#givesUp = givesUp;
  }

  /** Ends the call under way, as when its time is up, whatever the store is still doing for it. */
  leave(): void {
    this.#timeUp.abort();
  }

  async make(call: Call): Promise<Outcome> {
    this.#timeUp = new AbortController();
    switch (call.kind) {
      case 'read': {
        const items = await this.#read(call.limit);
        return items ? { kind: 'read', items: items.records } : { kind: 'none', code: 'UNAVAILABLE' };
      }
      case 'add':
        return this.#commit({ drop: 0, add: call.items });
      case 'pop':
        return this.#commit({ drop: 1, add: [] });
      case 'clear':
        return this.#commit({ drop: 'all', add: [], clear: true });
      case 'append':
        return this.#commit({ drop: 0, add: call.items, operation: { id: call.operationId, digest: 'd' } });
      case 'replace':
        return this.#replace(call);
    }
  }

  get #isLeft(): boolean {
    return this.#timeUp.signal.aborted;
  }

  #untilLeft<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#timeUp;
    const left = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new SessionError('OUTCOME_UNKNOWN')));
    });
    return Promise.race([work, left]);
  }

  async #read(limit: number | undefined) {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#untilLeft(this.#store.read({ limit, versioned: true }, this.#timeUp));
      } catch (error) {
        if (!mayPass(error)) throw error;
        if (tries === TRIES || this.#isLeft || this.#givesUp()) return undefined;
      }
    }
  }

  async #replace({ operationId, expected, replacement }: Call & { kind: 'replace' }): Promise<Outcome> {
    for (;;) {
      const found = await this.#read(expected.length);
      if (!found) return { kind: 'none', code: 'UNAVAILABLE' };
      const matches = JSON.stringify(found.records) === JSON.stringify(expected);
      const change = matches
        ? { drop: expected.length, ifVersion: found.version, add: replacement }
        : { drop: 0, ifVersion: '', add: [] };
      const outcome = await this.#commit({ ...change, operation: { id: operationId, digest: 'd' } });
      if (outcome.kind !== 'none' || outcome.code !== 'CONFLICT') return outcome;
      if (!matches) return { kind: 'mismatch' };
    }
  }

  async #commit(change: Omit<HistoryChange, 'id'>): Promise<Outcome> {
    const id = `${this.name}${++this.#changes}`.padEnd(36, '-');
    let isUnknown = false;
    for (let tries = 1; ; tries++) {
      try {
        const { popped } = await this.#untilLeft(this.#store.commit({ ...change, id }, this.#timeUp));
        return change.drop === 1 && change.ifVersion === undefined
          ? { kind: 'popped', item: popped }
          : { kind: 'done' };
      } catch (error) {
        const code = codeOf(error);
        if (code === 'CONFLICT') return { kind: 'none', code };
        if (!mayPass(error)) throw error;
        isUnknown ||= code === 'OUTCOME_UNKNOWN';
        if (tries === TRIES || this.#isLeft || this.#givesUp())
          return isUnknown ? { kind: 'unknown' } : { kind: 'none', code };
      }
    }
  }
}

function codeOf(error: unknown): string {
  return (error as { readonly code?: string }).code ?? '';
}

function mayPass(error: unknown): boolean {
  return ['UNAVAILABLE', 'OUTCOME_UNKNOWN'].includes(codeOf(error));
}
