import type { Copy, Version } from '@sessions/core/store';

/** An item as it is stored. */
export type MemoryRecord = Copy | string;

/** What a store keeps of one session. */
export interface History {
  /** The items as they are stored, oldest first. */
  readonly records: MemoryRecord[];
  version: Version;
  /** Operation ids with the digests of their transactions, once there are any (TXN-2). */
  operations?: Map<string, string>;
  /** On the clock of `performance.now()`, in milliseconds. */
  expiresAt: number;
}

const SMALLEST_SWEEP = 1_000;

/** The histories of many sessions. Nothing but a clear or an expiry ever removes one: there is no bound. */
export class MemoryStore {
  readonly #histories = new Map<string, History>();
  /** Counts over all histories, so that none ever has a version twice. */
  #version = 0;
  #sweepAt = SMALLEST_SWEEP;

  /** The ids of the sessions that have a history, those that expired left out. */
  sessionIds(): string[] {
    return [...this.#histories.keys()].filter((sessionId) => this.get(sessionId));
  }

  /**
   * The history, unless there is none or it has expired (TTL-2).
   *
   * @internal
   */
  get(sessionId: string): History | undefined {
    const history = this.#histories.get(sessionId);
    if (history && history.expiresAt <= performance.now()) {
      this.#histories.delete(sessionId);
      return undefined;
    }
    return history;
  }

  /** @internal */
  create(sessionId: string): History {
    if (this.#histories.size >= this.#sweepAt) this.#sweep();
    const history: History = {
      records: [],
      version: this.nextVersion(),
      expiresAt: Number.POSITIVE_INFINITY,
    };
    this.#histories.set(sessionId, history);
    return history;
  }

  /** @internal */
  delete(sessionId: string): void {
    this.#histories.delete(sessionId);
  }

  /** @internal */
  nextVersion(): Version {
    return String(++this.#version);
  }

  /** Frees what expired and was not asked for since: whenever the map has doubled, so at no cost a write. */
  #sweep(): void {
    this.#sweepAt = Math.max(SMALLEST_SWEEP, this.sessionIds().length * 2);
  }
}
