import type { Redis } from 'ioredis';

const WEEK_SECONDS = 7 * 24 * 60 * 60;

/**
 * Runs that wait for a person, in Redis beside the sessions. A run's state holds the conversation: it goes as soon as it is
 * not needed, and where a session is cleared it has to go as well.
 */
export class WaitingRuns {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async has(sessionId: string): Promise<boolean> {
    return (await this.#redis.exists(keyOf(sessionId))) === 1;
  }

  async keep(sessionId: string, state: string): Promise<void> {
    await this.#redis.set(keyOf(sessionId), state, 'EX', WEEK_SECONDS);
  }

  /**
   * Of those who ask at the same time one gets it, so that nothing is done twice. If that one dies, it is gone: better to
   * ask again than to book again.
   */
  async take(sessionId: string): Promise<string | null> {
    return this.#redis.getdel(keyOf(sessionId));
  }
}

function keyOf(sessionId: string): string {
  return `waiting-run:${sessionId}`;
}
